import { sizeText } from "../../api/files/file-size.ts";
import type { MappedFile } from "../../app/plan/mapping-summary.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { counted, number } from "../../report/say/quantity.ts";
import { visible } from "../../report/text/visible.ts";
import { checksType } from "../../score/row-checks.ts";
import type { Suite } from "../../suite/suite.ts";

const mostFiles = 3;

/** The sheet as it was understood, before anything is sent: rows, columns, and the way the answers are graded. */
export function mappingSummaryLines(files: readonly MappedFile[], suite: Suite): string[] {
  const shown = files.slice(0, mostFiles).flatMap(fileLines);
  const more = files.length - mostFiles;
  return [...shown, ...(more > 0 ? [`  and ${counted(more, "more file")}`] : []), gradingLine(files, suite)];
}

/** The same in a line a file, without its columns. */
export function sheetLines(files: readonly MappedFile[], suite: Suite): string[] {
  const shown = files.slice(0, mostFiles).map(headLine);
  const more = files.length - mostFiles;
  const grading = gradingLine(files, suite).trim();
  if (more > 0) return [...shown, `  and ${counted(more, "more file")}; ${grading}`];
  return shown.map((line, place) => (place === shown.length - 1 ? `${line}; ${grading}` : line));
}

function headLine({ file, cases, expected, rows }: MappedFile): string {
  const from = rows === null ? "" : `, rows ${rows.first}-${rows.last}`;
  return `${visible(file)}${from}: ${counted(cases, "row")}, ${expectedText(expected, cases)}`;
}

function fileLines(mapped: MappedFile): string[] {
  const { columns, sent } = mapped;
  return [
    headLine(mapped),
    `  ${[...usedLines(columns), ...(uses(columns, "case.key").length === 0 ? ["no key column"] : [])].join("; ")}`,
    ...sentLines({ sent }),
  ];
}

/** The files that the cases of a dataset send. */
export function sentLines({ sent: { types, bytes, largestCase } }: Pick<MappedFile, "sent">): string[] {
  const kinds = Object.entries(types).toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b));
  const all = kinds.reduce((sum, [, times]) => sum + times, 0);
  if (all === 0) return [];
  const reported = kinds.map(([type, times]) => `${number(times)} ${type}`).join(", ");
  return [`  files: ${number(all)} (${reported}), ${sizeText(bytes)}; the largest case has ${sizeText(largestCase)}`];
}

function expectedText(expected: number, cases: number): string {
  if (expected === 0) return "none with an expected answer";
  return expected === cases ? "all with an expected answer" : `${number(expected)} with an expected answer`;
}

const uses = (columns: MappedFile["columns"], use: string): string[] =>
  columns.flatMap((each) => (each.uses.includes(use) ? [each.column] : []));

/** Each use with the columns that fill it, the request fields first. */
function usedLines(columns: MappedFile["columns"]): string[] {
  const named = new Map<string, string[]>();
  for (const use of columns.flatMap((each) => each.uses)) named.set(use, uses(columns, use).map(visible));
  const all = [...named].flatMap(([use, filling]): [string, string[]][] => {
    const shown = filling.flatMap((column) => madeColumns.get(column) ?? (column.startsWith("__") ? [] : [column]));
    return shown.length === 0 ? [] : [[use, shown]];
  });
  const ordered = [...all.filter(([use]) => isInput(use)), ...all.filter(([use]) => !isInput(use))];
  return ordered.map(([use, filling]) => `${use.replace(/^case\.(input\.)?/, "")} <- ${filling.join(", ")}`);
}

/** Columns that conversations get, in words; the other columns of theirs go without saying. */
export const madeColumns = new Map<string, string>([
  [scriptColumns.prompt, "what the user says"],
  [scriptColumns.answer, "what was answered"],
]);

const isInput = (use: string): boolean => use.startsWith("case.input.");

function gradingLine(files: readonly MappedFile[], { scorers, decision }: Suite): string {
  const checked = files.reduce((sum, file) => sum + file.checked, 0);
  const names = [
    ...scorers.map(({ name, type }) => (name === type ? type : `${visible(name)} (${type})`)),
    ...(checked > 0 && !scorers.some(({ type }) => type === checksType)
      ? [`the checks of ${counted(checked, "row")}`]
      : []),
  ].join(", ");
  if (names === "") {
    const hasExpected = files.some(({ expected }) => expected > 0);
    const advice = hasExpected ? "; `--scorer contains` compares with the expected answers" : "";
    return `  graded by nothing: the suite has no scorer${advice}`;
  }
  const gates = decision.gates.length === 0 ? "" : `; ${counted(decision.gates.length, "gate")}`;
  return `  graded by ${names}${gates}`;
}
