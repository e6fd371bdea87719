/** The separators that are found by themselves, the likelier first. */
const candidates = [",", ";", "\t", "|"] as const;

/** Number of characters of a text that are looked at. */
export const foundBy = 65_536;
const records = 50;

/** Separation of a table: the delimiter, and the length of a first line `sep=;`, which Excel writes to name it. */
export interface Separation {
  delimiter: string;
  /** Characters to pass over at the beginning. */
  skip: number;
}

/**
 * The separator of a table, told by its beginning: it splits the header, and the first records into as many cells as the header.
 * `preferred` is taken when several are equally good, or none splits the header.
 */
export function findSeparation(head: string, preferred: string): Separation {
  const [line, said] = /^sep=([^\r\n])\r?(?:\n|$)/.exec(head) ?? [];
  if (line !== undefined && said !== undefined) return { delimiter: said, skip: line.length };
  let best = { delimiter: preferred, like: 0, cells: 1 };
  for (const delimiter of [preferred, ...candidates]) {
    const { like, cells } = fitOf(head, delimiter);
    if (cells < 2) continue;
    const better = like > best.like + 0.001 || (like > best.like - 0.001 && cells > best.cells);
    if (best.cells < 2 || (better && delimiter !== best.delimiter)) best = { delimiter, like, cells };
  }
  return { delimiter: best.delimiter, skip: 0 };
}

/** Counts the cells of the header, and the share of records that have as many. */
function fitOf(text: string, delimiter: string): { like: number; cells: number } {
  const counts = cellCounts(text, delimiter);
  const [cells = 1, ...others] = counts;
  const like = others.filter((count) => count === cells).length;
  return { cells, like: others.length === 0 ? 1 : like / others.length };
}

/** The number of cells of each of the first records that are not empty; one that is cut off is left out. */
function cellCounts(text: string, delimiter: string): number[] {
  const counts: number[] = [];
  let cells = 1;
  let quoted = false;
  let atStart = true;
  let begun = false;
  for (let i = 0; i < text.length && counts.length < records; i++) {
    const character = text[i];
    if (quoted) {
      if (character !== '"') continue;
      if (text[i + 1] === '"') i++;
      else quoted = false;
    } else if (character === "\n" || character === "\r") {
      if (begun) counts.push(cells);
      cells = 1;
      begun = false;
      atStart = true;
    } else if (character === delimiter) {
      cells++;
      begun = true;
      atStart = true;
    } else {
      if (character === '"' && atStart) quoted = true;
      begun = true;
      atStart = false;
    }
  }
  if (begun && !quoted && (counts.length === 0 || text.length < foundBy / 2)) counts.push(cells);
  return counts;
}

/**
 * The ends of lines that separate the records of a table: a carriage return alone only where there are no others. Those inside
 * of quotes do not count: programs that end rows with a carriage return write a line feed inside of cells.
 */
export function lineEnds(head: string, delimiter: string): string[] {
  let quoted = false;
  let atStart = true;
  let alone = false;
  for (const character of head) {
    if (quoted) {
      // The second of two quotes, which stand for one, opens again.
      if (character === '"') [quoted, atStart] = [false, true];
      continue;
    }
    if (character === "\n") return ["\r\n", "\n"];
    if (character === "\r") alone = true;
    if (character === '"' && atStart) quoted = true;
    else atStart = character === delimiter || character === "\r";
  }
  return alone ? ["\r"] : ["\r\n", "\n"];
}
