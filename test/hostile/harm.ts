import { parse } from "csv-parse/sync";

/** The signs of harm that a text does in a kind of output; none: it stays text. */
export type Harm = (output: string) => string[];

/** The harms of which the pattern is found. */
function found(output: string, signs: Readonly<Record<string, RegExp>>): string[] {
  return Object.entries(signs)
    .filter(([, sign]) => sign.test(output))
    .map(([name]) => name);
}

/** Flags of countries' parts are made of tags. */
const withoutFlags = (text: string): string =>
  text.replaceAll(/\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]+\u{e007f}/gu, "");

const flipped = /[\u202a-\u202e\u2066-\u2069]/;
const tags = /[\u{e0000}-\u{e007f}]/u;
const marks = /\p{M}{40}|(?:\u200d\p{Extended_Pictographic}){40}/u;

/** Commands that the CI systems look for in what a step prints, by lines of their own runners. */
const ciHarm: Harm = (output) =>
  output
    .split(/\r\n|\r|\n/)
    .filter((line) => /##(?:[a-z-]{0,40})\[/i.test(line) || /^[^!-~]*::[a-z][^:]*::/i.test(line))
    .map((line) => `a command of a CI: ${line.slice(0, 80)}`);

/** A terminal without colours. */
export const terminalHarm: Harm = (output) => [
  ...ciHarm(output),
  ...found(withoutFlags(output), {
    "a control": /[^\n\t\P{Cc}]/u,
    "a turned direction": flipped,
    tags,
    marks,
    half: /\p{Cs}/u,
  }),
];

export const jsonHarm: Harm = (output) => {
  try {
    JSON.parse(output);
  } catch {
    return ["no JSON"];
  }
  return found(output, {
    "a control": /[^\n\P{Cc}]/u,
    "half a character": /\\ud[89a-f]../i.test(output) ? /\\ud[89ab]..(?!\\ud[c-f])/i : /\p{Cs}/u,
  });
};

/** The tags that the report itself is made of. */
const ownCode = "is in `report.html`, or in what `tandem export` writes";
const ownTags = /<\/?(?:details|summary|code|pre)(?: dir="auto")?>/g;

export const markdownHarm: Harm = (output) => {
  const lines = output
    .replaceAll(/<pre dir="auto">[\s\S]*?<\/pre>/g, "")
    .replaceAll(ownTags, "")
    .replace(ownCode, "");
  return [
    ...ciHarm(output),
    ...found(withoutFlags(output), { "a control": /[^\n\t\P{Cc}]/u, "a turned direction": flipped, tags, marks }),
    ...found(output.replaceAll(ownTags, ""), { "a tag of HTML": /<[a-z/!]/i }),
    ...found(lines, {
      "a mention, a link or markup": /@\w|(?<![&\n#])#\d|https?:\/\/|www\.|\]\(|`|\bjavascript:/,
      "a title": /\n# title/,
    }),
  ];
};

export const xmlHarm: Harm = (output) => [
  ...found(withoutFlags(output), {
    "what XML cannot hold": /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u,
    "a turned direction": flipped,
    tags,
    "an open sign": /&(?!(?:amp|lt|gt|quot|#\d+);)/,
  }),
  ...found(output.replace(/^<\?xml [^>]*\?>\n/, "").replaceAll(/<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>/g, ""), {
    "an element": /[<>]/,
  }),
];

const isFormula = (cell: string): boolean =>
  /^[\s\p{Cc}\p{Cf}"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell) &&
  !/^\s*[-+]?[\d.,]+(?:e[-+]?\d+)?\s*%?\s*$/i.test(cell);

/** Cells as a spreadsheet splits them: at commas with quotes, and at semicolons and tabs without. */
export const csvHarm = (output: string, delimiter = ","): string[] => {
  let rows: string[][];
  try {
    rows = parse(output, { bom: true, delimiter });
  } catch (error) {
    return [`no CSV: ${String(error)}`];
  }
  const parts = rows.flat().flatMap((cell) => [cell, ...cell.split(/[;\t]/).slice(1)]);
  return [
    ...parts.filter(isFormula).map((cell) => `a formula: ${cell.slice(0, 60)}`),
    ...found(withoutFlags(output), { "a control": /[^\n\r\t\P{Cc}]/u, "a turned direction": flipped, tags }),
  ];
};

export const annotationHarm: Harm = (output) => [
  ...found(output, {
    "no annotation": /^(?!::(?:error|warning|notice) title=[^:,]*::)/,
    "a line break": /[\p{Cc}\u2028\u2029]/u,
    "an open percent": /%(?!25|0D|0A|3A|2C)/,
    "a turned direction": flipped,
    tags,
  }),
];

/** Everything that can be read in a page; white space is as the page wraps it. */
export const pageHarm: Harm = (output) =>
  found(withoutFlags(output), { "a control": /[^\n\t\r\P{Cc}]/u, "a turned direction": flipped, tags, marks });

export const chatHarm: Harm = (output) =>
  found(withoutFlags(output), {
    "a mention or a link": /<|@(?=here|everyone|channel|org)\b/,
    "a control": /\p{Cc}/u,
    "a turned direction": flipped,
    tags,
  });
