import { isPromptfooColumn } from "../import/promptfoo.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { FileFacts } from "../file-facts.ts";
import { firstRows } from "../sheets.ts";
import type { ReadDatasetOptions } from "../read-options.ts";
import type { RowBatch } from "../row.ts";
import { looseName } from "../table/column.ts";
import { answerNames, expectedNames, findNamed, findWorded, questionNames } from "../table/column-names.ts";
import { expectedForm } from "./expected-form.ts";

const names = [...questionNames, ...expectedNames, ...answerNames];
/** Names that are as often an answer ("no", "gold") or a word of one. */
const alsoValues: ReadonlySet<string> = new Set([
  "case",
  "gold",
  "golden",
  "ideal",
  "key",
  "no",
  "number",
  "position",
  "session",
  "step",
  "talk",
  "turn",
]);
/** A name of so many words is still one ("What would you like to ask?"); longer texts are not looked into. */
const longestName = 6;
const flattened = /^(?:variables|inputs?|outputs?|metadata|reference_outputs?)\./i;

/**
 * The reason for which the first row of a sheet is data and does not name its columns; null: it may well name them.
 * Signs of data are a question or a sentence above others, a number above numbers, and a value that comes again below
 * it. A row with a name that is known (`known`: further ones, such as fields) is a header all the same.
 */
export function dataInHeader(
  first: readonly string[],
  rows: readonly (readonly string[])[],
  known: readonly string[] = [],
): string | null {
  const cells = first.map((cell) => cell.trim());
  // A header may stand again between the rows of a sheet that was put together.
  const others = rows.filter((row) => row.some((cell, at) => cell.trim() !== cells[at]));
  const below = (at: number): string[] => others.map((row) => row[at]?.trim() ?? "").filter((cell) => cell !== "");
  const sign = cells.map((cell, at) => signOfData(cell, below(at))).find((found) => found !== null);
  return sign === undefined || isNamed(cells, known) ? null : sign;
}

function isNamed(cells: readonly string[], known: readonly string[]): boolean {
  if (cells.some((cell) => isPromptfooColumn(cell) || flattened.test(cell))) return true;
  const sure = cells.filter((cell) => !alsoValues.has(looseName(cell)));
  const short = sure.filter((cell) => cell.split(/\s+/).length <= longestName);
  return findNamed(sure, [...names, ...known]) !== null || findWorded(short, names) !== null;
}

/** The share of the rows below that has to look like the first one. */
const enough = 1 / 3;

function signOfData(cell: string, below: readonly string[]): string | null {
  if (cell === "") return null;
  const alike = below.filter((each) => isSpoken(each)).length >= below.length * enough;
  if (isSpoken(cell) && alike) return isQuestion(cell) ? "it holds a question" : "it holds a sentence";
  if (below.length < 2) return null;
  if (isNumber(cell) && below.every(isNumber)) return "it holds a number, as the rows below it do";
  return below.filter((each) => each === cell).length >= 2 ? "a value of it stands in the rows below it again" : null;
}

const isQuestion = (text: string): boolean => /^[\s"'«“‘(]*¿|[?？؟⁇՞፧]\s*["'»”’)]*$/u.test(text);
const isSpoken = (text: string): boolean => isQuestion(text) || expectedForm(text).form === "sentence";
const isNumber = (text: string): boolean => /^[-+]?\d+(?:[.,]\d+)*\s*%?$/.test(text);

/** The rows as they come, with a notice where the header of a table looks like data and no mapping names its columns. */
export async function* noticingData(
  batches: AsyncIterable<RowBatch>,
  facts: FileFacts,
  options: Pick<ReadDatasetOptions, "mapping" | "format" | "endpoints" | "onNotice">,
): AsyncGenerator<RowBatch> {
  const { mapping, format, endpoints, onNotice } = options;
  if (mapping.input !== null || format?.header === false) return yield* batches;
  const first: RowBatch[] = [];
  let isLooking = true;
  const look = (): void => {
    isLooking = false;
    const header = first[0]?.header ?? [];
    const rows = first.flatMap((batch) => batch.rows).slice(0, firstRows);
    const sign = dataInHeader(
      header,
      rows.map(({ cells }) => cells),
      fieldNames(endpoints),
    );
    if (sign === null || facts.format !== "csv") return;
    onNotice?.(
      `${facts.file}: the first row is taken for names of columns, and ${sign}. If it is a case: --no-header (format: { header: false } in a suite).`,
    );
  };
  for await (const batch of batches) {
    if (isLooking) {
      first.push(batch);
      if (first.reduce((sum, { rows }) => sum + rows.length, 0) < firstRows) continue;
      look();
      yield* first.splice(0);
    } else yield batch;
  }
  if (isLooking) {
    look();
    yield* first;
  }
}

/** The names of columns that map themselves. */
export const fieldNames = (endpoints: readonly EndpointName[]): string[] =>
  endpoints.flatMap((name) => [...endpointOf(name).fields.keys()]);
