/** The text encoding of a file, told by its beginning; or why it is no text. */
type Recognised =
  | { ok: true; encoding: "utf-8" | "utf-16le" | "utf-16be" }
  | { ok: false; message: string; hint: string };

/** Number of bytes of a file that are looked at. */
export const recognisedBy = 65_536;

/**
 * Recognises UTF-16 with a byte order mark, or without one when ASCII characters show it; else UTF-8, which is checked
 * as it is read. Files that plainly are no text (a workbook, an archive, a picture) are named.
 */
export function recogniseEncoding(head: Buffer): Recognised {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return notRead("UTF-32");
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return notRead("UTF-32");
  if (a === 0xff && b === 0xfe) return { ok: true, encoding: "utf-16le" };
  if (a === 0xfe && b === 0xff) return { ok: true, encoding: "utf-16be" };
  const known = signatures.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes));
  if (known !== undefined) return { ok: false, message: `the file is ${known.name}, not text`, hint: known.hint };
  const { even, odd } = countZeros(head);
  const many = Math.max(3, head.length * 0.03);
  if (odd > many && even * 20 < odd) return { ok: true, encoding: "utf-16le" };
  if (even > many && odd * 20 < even) return { ok: true, encoding: "utf-16be" };
  if (head.length >= 20 && even + odd > head.length / 10) {
    return { ok: false, message: "the file is not text: it is full of NUL bytes", hint: saveAsUtf8 };
  }
  return { ok: true, encoding: "utf-8" };
}

const saveAsUtf8 = 'Save it as "CSV UTF-8".';

const signatures: readonly { bytes: Buffer; name: string; hint: string }[] = [
  { bytes: Buffer.from("PK\u0003\u0004"), name: "an Excel workbook (.xlsx) or another zip", hint: saveAsUtf8 },
  { bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), name: "an old Excel workbook (.xls)", hint: saveAsUtf8 },
  { bytes: Buffer.from("%PDF-"), name: "a PDF", hint: "Export the table as CSV." },
  { bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), name: "packed with zstd", hint: "Unpack it, or pack it with gzip." },
  { bytes: Buffer.from("BZh"), name: "packed with bzip2", hint: "Unpack it, or pack it with gzip." },
  {
    bytes: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]),
    name: "packed with xz",
    hint: "Unpack it, or pack it with gzip.",
  },
];

function notRead(name: string): Recognised {
  return { ok: false, message: `the file is ${name}`, hint: saveAsUtf8 };
}

/**
 * Counts zeros at even and odd places: in UTF-16 every other byte of ASCII characters (separators, line ends, digits)
 * is zero.
 */
function countZeros(head: Buffer): { even: number; odd: number } {
  const zeros = { even: 0, odd: 0 };
  for (let at = head.indexOf(0); at >= 0; at = head.indexOf(0, at + 1)) zeros[at % 2 === 0 ? "even" : "odd"]++;
  return zeros;
}
