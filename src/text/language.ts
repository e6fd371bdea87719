import { commonWords } from "./language-words.ts";
import { tokens } from "./tokens.ts";

/** The language and script of a text, as far as they can be told. */
export interface FoundLanguage {
  /** Such as `hi`; null when the script has several languages and no common word tells. */
  language: string | null;
  /** Name of the commonest script, such as `Devanagari`; null without letters. */
  script: string | null;
  /** Share of the letters that are of that script. */
  share: number;
}

/** Scripts, and the languages that are told apart in each. */
const scripts: Record<string, string[]> = {
  Latin: "en es fr de pt it nl sv da nb fi pl cs sk sl hr ro hu tr vi id tl sw ha yo zu so om".split(" "),
  Devanagari: ["hi", "mr", "ne"],
  Arabic: ["ar", "fa", "ur", "ps"],
  Cyrillic: ["ru", "uk", "bg", "sr", "kk", "mn"],
  Bengali: ["bn", "as"],
  Ethiopic: ["am", "ti"],
  Hebrew: ["he", "yi"],
  Greek: ["el"],
  Armenian: ["hy"],
  Georgian: ["ka"],
  Gurmukhi: ["pa"],
  Gujarati: ["gu"],
  Oriya: ["or"],
  Tamil: ["ta"],
  Telugu: ["te"],
  Kannada: ["kn"],
  Malayalam: ["ml"],
  Sinhala: ["si"],
  Thai: ["th"],
  Lao: ["lo"],
  Khmer: ["km"],
  Myanmar: ["my"],
  Tibetan: ["bo"],
  Mongolian: ["mn"],
  Hangul: ["ko"],
  Kana: ["ja"],
  Han: ["zh"],
};

/** Languages that are written like another one in a script: Serbian and Bosnian in Latin letters are as Croatian. */
const alike: Record<string, Record<string, string>> = { Latin: { sr: "hr", bs: "hr" }, Cyrillic: { bs: "sr" } };

/** Further scripts of languages, in which their words are not known. */
const furtherScripts: Record<string, string[]> = {
  kk: ["Latin", "Arabic"],
  pa: ["Arabic"],
  ha: ["Arabic"],
  mn: ["Latin"],
};

/** Languages that are so near to each other that a word more of the one says nothing. */
const twins: ReadonlySet<string> = new Set(["da", "nb", "sv"]);
/** Points by which a twin has to lead, and any other where the text fits the wanted one too. */
const [twinLead, lead] = [2, 1];

/** Letters up to which a Japanese text may be without kana: names, headings. */
const mostWithoutKana = 8;

const letterOf = (script: string): RegExp =>
  new RegExp(script === "Kana" ? "[\\p{sc=Hiragana}\\p{sc=Katakana}]" : `\\p{sc=${script}}`, "u");

/** The scripts with a pattern for their letters, made for the first text: each takes its time. */
let patterns: { script: string; letter: RegExp }[] | null = null;

/** Letters that only one language of its script has, or nearly so. */
const tellingLetters: Record<string, RegExp> = {
  es: /[ñ¿¡]/iu,
  de: /ß/iu,
  pt: /[ãõ]/iu,
  fr: /œ|(?<!\p{L})(?:qu|j|c)['’]/iu,
  pl: /[łąęśźż]/iu,
  cs: /[ěřů]/iu,
  sk: /[ľĺŕôä]/iu,
  hr: /[ćđ]/iu,
  ro: /[țșă]/iu,
  hu: /[őű]/iu,
  tr: /[ğış]/u,
  vi: /[ơưạảấầẩậắằẳẵặẹẻẽếềểễệịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđ]/iu,
  sv: /å/iu,
  da: /[æøå]/iu,
  nb: /[æøå]/iu,
  yo: /[ẹọṣ]/iu,
  ha: /[ɗƙɓ]/iu,
  mr: /ळ/u,
  fa: /[پچژگ]/u,
  ur: /[ٹڈڑںےہ]/u,
  ps: /[ټډړښږڼ]/u,
  uk: /[їєґі]/iu,
  ru: /[ыэё]/iu,
  sr: /[ђћџљњј]/iu,
  kk: /[әғқңөұү]/iu,
  as: /[ৰৱ]/u,
};

/** Every common word with the languages that have it. */
let languagesOf: Map<string, string[]> | null = null;

function commonWordLanguages(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [language, words] of Object.entries(commonWords)) {
    for (const word of words.split(" ")) found.set(word, [...(found.get(word) ?? []), language]);
  }
  return found;
}

/** Number of characters read from the beginning of a monstrous text: it is enough. */
const mostRead = 20_000;

/** Parts of a text that are in Latin letters in any language: addresses, tags, code. */
const foreign = /\w+:\/\/\S+|\S+@\S+|<[^>]{0,200}>|`[^`]{0,500}`/gu;

/** The language of a text by its script, and among languages of one script by their commonest words and letters. */
export function languageOf(text: string): FoundLanguage {
  return look(text).found;
}

/**
 * Tells if a text is in a language: by the script alone if that is enough; null when the text says too little. The
 * language is a code such as `hi`, `pt-BR` or `zh-Hant`, or an English name; `unknown` when it is none of those that
 * are known.
 */
export function isInLanguage(
  text: string,
  wanted: string,
): { holds: boolean | null; found: FoundLanguage } | "unknown" {
  const code = languageCode(wanted);
  if (code === null) return "unknown";
  const { found, points } = look(text);
  const { script } = found;
  if (script === null) return { holds: null, found };
  const siblings = scripts[script] ?? [];
  const sibling = alike[script]?.[code] ?? code;
  if (!siblings.includes(sibling)) return { holds: mayBeWritten(code, script, text) ? null : false, found };
  if (siblings.length === 1 || found.language === sibling) return { holds: true, found };
  const own = points.find(({ language }) => language === sibling)?.points ?? 0;
  const [first] = points;
  const best = first?.points ?? 0;
  // One common word may be a name or a loan.
  if (best < 2) return { holds: null, found };
  // Languages share words: a text that fits several is in the one that is wanted. Bots slip into English, which is told.
  const isEnglish =
    sibling !== "en" && points.some(({ language, points: shared }) => language === "en" && shared === best);
  if (own === best && !isEnglish) return { holds: true, found };
  const isTwin = twins.has(sibling) && twins.has(first?.language ?? "");
  return { holds: best > own + (isTwin ? twinLead : own >= 2 ? lead : 0) ? false : null, found };
}

/** True where a text in a script could be in a language that has other letters as a rule. */
function mayBeWritten(code: string, script: string, text: string): boolean {
  if (code === "ja" && script === "Han") return (text.match(/\p{L}/gu) ?? []).length <= mostWithoutKana;
  return furtherScripts[code]?.includes(script) ?? false;
}

function look(text: string): { found: FoundLanguage; points: { language: string; points: number }[] } {
  const { script, share, read } = scriptOf(text);
  const siblings = script === null ? [] : (scripts[script] ?? []);
  if (siblings.length < 2) return { found: { language: siblings[0] ?? null, script, share }, points: [] };
  const points = pointsOf(read, siblings);
  const [best, second] = points;
  const isClear = best !== undefined && best.points > (second?.points ?? 0);
  return { found: { language: isClear ? best.language : null, script, share }, points };
}

/** Languages that can be asked for. */
export const knownLanguages: readonly string[] = [
  ...new Set([...Object.values(scripts).flat(), ...Object.values(alike).flatMap(Object.keys)]),
].toSorted();

/** The code of a language by a code with more to it, or by its English name; null when it is not known. */
export function languageCode(name: string): string | null {
  const known = codes.get(name);
  if (known !== undefined) return known;
  const found = findCode(name);
  if (codes.size < 1_000) codes.set(name, found);
  return found;
}

const codes = new Map<string, string | null>();

function findCode(name: string): string | null {
  const code = name.trim().toLowerCase().split(/[-_]/)[0] ?? "";
  const canonical = others[code] ?? code;
  if (knownLanguages.includes(canonical)) return canonical;
  const names = new Intl.DisplayNames(["en"], { type: "language" });
  return knownLanguages.find((each) => names.of(each)?.toLowerCase() === name.trim().toLowerCase()) ?? null;
}

/** Other codes of the same languages. */
const others: Record<string, string> = {
  no: "nb",
  nn: "nb",
  fil: "tl",
  ms: "id",
  iw: "he",
  in: "id",
  hin: "hi",
  eng: "en",
  spa: "es",
  swa: "sw",
  amh: "am",
  ara: "ar",
  yue: "zh",
  cmn: "zh",
  sh: "sr",
  cnr: "sr",
  hrv: "hr",
  srp: "sr",
  bos: "bs",
};

function scriptOf(text: string): { script: string | null; share: number; read: string } {
  const read = text.slice(0, mostRead).normalize("NFC").replaceAll(foreign, " ");
  const counts = new Map<string, number>();
  let letters = 0;
  for (const char of read.match(/[\p{L}\p{M}]/gu) ?? []) {
    const script = scriptOfLetter(char);
    if (script === null) continue;
    letters++;
    counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  const kana = counts.get("Kana") ?? 0;
  // Japanese is written with Chinese characters too.
  if (kana > 0 && kana * 20 >= (counts.get("Han") ?? 0)) {
    counts.set("Kana", kana + (counts.get("Han") ?? 0));
    counts.delete("Han");
  }
  let [script, most]: [string | null, number] = [null, 0];
  for (const [name, count] of counts) if (count > most) [script, most] = [name, count];
  return { script, share: letters === 0 ? 0 : most / letters, read };
}

const byLetter = new Map<string, string | null>();

function scriptOfLetter(letter: string): string | null {
  const known = byLetter.get(letter);
  if (known !== undefined) return known;
  patterns ??= Object.keys(scripts).map((script) => ({ script, letter: letterOf(script) }));
  const found = patterns.find((each) => each.letter.test(letter))?.script ?? null;
  byLetter.set(letter, found);
  return found;
}

/** Points for each language, the most first. */
function pointsOf(text: string, languages: readonly string[]): { language: string; points: number }[] {
  languagesOf ??= commonWordLanguages();
  const hits = new Map<string, number>();
  for (const word of tokens(text.toLowerCase(), 2_000)) {
    for (const language of languagesOf.get(word) ?? []) hits.set(language, (hits.get(language) ?? 0) + 1);
  }
  return languages
    .map((language) => {
      const letters = tellingLetters[language];
      return { language, points: (hits.get(language) ?? 0) + (letters !== undefined && letters.test(text) ? 1.5 : 0) };
    })
    .toSorted((a, b) => b.points - a.points);
}
