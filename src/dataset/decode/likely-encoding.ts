/** An encoding and the share of the characters outside of ASCII that text in it has of its own kind. */
interface Candidate {
  encoding: string;
  /** The characters that a text of its language mostly has; those of Chinese are looked up when they are needed. */
  own: RegExp | (() => RegExp);
  /** So many of the characters outside of ASCII have to be such. */
  least: number;
}

const cyrillicSmall = /[а-яёіїєґўјљњћђџ]/gu;

/**
 * In the order in which they are tried: bytes of Korean can be read as Chinese, and those of most encodings as Cyrillic or
 * Greek, but the text that comes out is then of rare characters.
 */
const candidates: readonly Candidate[] = [
  { encoding: "euc-kr", own: /\p{sc=Hangul}/gu, least: 0.9 },
  { encoding: "shift_jis", own: /[\p{sc=Hiragana}\u30a0-\u30ff]/gu, least: 0.3 },
  { encoding: "euc-jp", own: /[\p{sc=Hiragana}\u30a0-\u30ff]/gu, least: 0.3 },
  { encoding: "gb18030", own: () => commonHan("gb18030", [0xb0, 0xd7], [[0xa1, 0xfe]]), least: 0.75 },
  {
    encoding: "big5",
    own: () =>
      commonHan(
        "big5",
        [0xa4, 0xc6],
        [
          [0x40, 0x7e],
          [0xa1, 0xfe],
        ],
      ),
    least: 0.75,
  },
  { encoding: "windows-1251", own: cyrillicSmall, least: 0.6 },
  { encoding: "koi8-r", own: cyrillicSmall, least: 0.6 },
  { encoding: "windows-1256", own: /\p{sc=Arabic}/gu, least: 0.9 },
];

/** Fewer characters show nothing. */
const fewest = 4;

/** The encoding in which bytes that are not UTF-8 look like text of a language; null: in none, or in too few of them. */
export function likelyEncoding(bytes: Buffer): string | null {
  return candidates.find((candidate) => looksLike(bytes, candidate))?.encoding ?? null;
}

function looksLike(bytes: Buffer, { encoding, own, least }: Candidate): boolean {
  const text = decoded(bytes, encoding);
  // Marks are of all languages.
  const letters = Array.from(text?.matchAll(/[^\p{ASCII}\p{P}\p{Z}\p{S}\p{N}]/gu) ?? []).length;
  if (text === null || letters < fewest) return false;
  return (text.match(typeof own === "function" ? own() : own) ?? []).length >= letters * least;
}

/** The text of the bytes; null: some are none of the encoding. The last character may be cut off. */
function decoded(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The characters that stand in the first level of a Chinese encoding, which has those that are written often. */
function commonHan(encoding: string, [first, last]: [number, number], trails: readonly [number, number][]): RegExp {
  const pairs: number[] = [];
  for (let lead = first; lead <= last; lead++)
    for (const [from, to] of trails) for (let trail = from; trail <= to; trail++) pairs.push(lead, trail);
  const characters = Array.from(new TextDecoder(encoding).decode(Buffer.from(pairs))).filter((each) =>
    /\p{sc=Han}/u.test(each),
  );
  return new RegExp(`[${characters.join("")}]`, "gu");
}
