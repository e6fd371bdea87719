import { parse } from "csv-parse/sync";

/** The signs of harm that a text does in a kind of output; none: it stays text. */
export type Harm = (output: string) => string[];

/** The harms of which the pattern is found. */
function found(output: string, signs: Readonly<Record<string, RegExp>>): string[] {
  return Object.entries(signs)
    .filter(([, sign]) => sign.test(output))
    .map(([name]) => name);
}

/** The flags of England, Scotland and Wales; programs draw no other one that is made of tags. */
const flags = ["gbeng", "gbsct", "gbwls"].map(
  (name) => `\u{1f3f4}${Array.from(name, (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("")}\u{e007f}`,
);
const withoutFlags = (text: string): string => flags.reduce((rest, flag) => rest.replaceAll(flag, ""), text);

const flipped = /[\u202a-\u202e\u2066-\u2069]/;
const tags = /[\u{e0000}-\u{e007f}]/u;
const notes = /[\ufff9-\ufffb]/;
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
    notes,
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
    "half a character": /\\ud[89a-f]../i.test(output) ? /(?<!\\)(?:\\\\)*\\ud[89ab]..(?!\\ud[c-f])/i : /\p{Cs}/u,
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
    ...found(withoutFlags(output), {
      "a control": /[^\n\t\P{Cc}]/u,
      "a turned direction": flipped,
      notes,
      tags,
      marks,
    }),
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
    notes,
    tags,
    "an open sign": /&(?!(?:amp|lt|gt|quot|#\d+);)/,
  }),
  ...found(output.replace(/^<\?xml [^>]*\?>\n/, "").replaceAll(/<\/?[a-z-]+(?: [a-z]+="[^"<]*")*\/?>/g, ""), {
    "an element": /[<>]/,
  }),
];

/**
 * A cell that Excel, LibreOffice or Sheets calculates: they trim spaces, and take a number for a number. Where the rest of the line
 * comes with it, that is no formula either: its texts stand in quotes.
 */
const isFormula = (cell: string): boolean =>
  /^[\s"]*[=+\-@]/.test(cell) &&
  !/^[\s"]*[-+]?(?:\d[\d.,]*|[.,]\d+)(?:e[-+]?\d+)?\s*%?[\]}]*\s*"*(?:$|[,;|\t\r\n])/i.test(cell);

/** Marks at which programs split a line, by choice or by the country of their user. */
const separators = [",", ";", "\t", "|"];

/** Cells as Excel finds them when it splits at a mark: what stands in quotes at the start of a cell is one text, the rest as it is. */
function cellsAt(output: string, separator: string): string[] {
  const cells: string[] = [];
  const quoted = /"(?:[^"]|"")*(?:"|$)/y;
  let cell = "";
  for (let at = 0; at <= output.length; at++) {
    const sign = output[at] ?? "\n";
    if (sign === separator || sign === "\n" || sign === "\r") {
      cells.push(cell);
      cell = "";
      continue;
    }
    quoted.lastIndex = at;
    const text = sign === '"' && cell === "" ? quoted.exec(output)?.[0] : undefined;
    cell += text === undefined ? sign : text.slice(1, -1).replaceAll('""', '"');
    at += (text?.length ?? 1) - 1;
  }
  return cells;
}

/** The same for a program to which quotes are letters. */
const plainCells = (output: string): string[] => output.split(/[,;|\t\r\n]/).map((cell) => cell.replaceAll('"', ""));

/** The rows as csv-parse reads them, which takes no fault; null: they have one. */
function rowsOf(output: string, delimiter: string): string[][] | null {
  try {
    return parse(output, { bom: true, delimiter });
  } catch {
    return null;
  }
}

export const csvHarm: Harm = (output) => {
  const table = separators.map((delimiter) => rowsOf(output, delimiter)).find((rows) => rows !== null);
  if (table === undefined) return ["no CSV"];
  const cells = [...table.flat(), ...separators.flatMap((mark) => cellsAt(output, mark)), ...plainCells(output)];
  return [
    ...cells.filter(isFormula).map((cell) => `a formula: ${cell.slice(0, 60)}`),
    ...found(withoutFlags(output), {
      "a control": /[^\n\r\t\P{Cc}]/u,
      "a turned direction": flipped,
      notes,
      tags,
      half: /\p{Cs}/u,
    }),
  ];
};

/** Everything that a model reads of an answer over MCP, and no person sees: only emoji have forms, and only some joiners spell. */
export const agentHarm: Harm = (output) =>
  found(
    withoutFlags(output)
      .replaceAll(/(\p{Extended_Pictographic})\ufe0f/gu, "$1")
      .replaceAll(
        /([[\p{L}\p{M}]--[\p{sc=Latin}\p{sc=Han}]]|\p{Emoji_Modifier}|\p{Extended_Pictographic})[\u200c\u200d]/gv,
        "$1",
      ),
    {
      "what nobody sees": /\p{Default_Ignorable_Code_Point}/u,
      notes,
      "a control": /[^\n\r\t\P{Cc}]/u,
      half: /\p{Cs}/u,
    },
  );

export const annotationHarm: Harm = (output) => [
  ...found(withoutFlags(output), {
    "no annotation": /^(?!::(?:error|warning|notice) title=[^:,]*::)/,
    "a line break": /[\p{Cc}\u2028\u2029]/u,
    "an open percent": /%(?!25|0D|0A|3A|2C)/,
    "a turned direction": flipped,
    notes,
    tags,
  }),
];

/** Everything that can be read in a page; white space is as the page wraps it. */
export const pageHarm: Harm = (output) =>
  found(withoutFlags(output), { "a control": /[^\n\t\r\P{Cc}]/u, "a turned direction": flipped, notes, tags, marks });

export const chatHarm: Harm = (output) =>
  found(withoutFlags(output), {
    "a mention or a link": /<|@(?=here|everyone|channel|org)\b/,
    "a control": /\p{Cc}/u,
    "a turned direction": flipped,
    notes,
    tags,
  });
