import type { JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import type { CaseChecks } from "../case.ts";
import type { CheckReader, ExpectationReader } from "./check-reader.ts";
import { expectationText } from "./expectation-text.ts";

/** The columns of a promptfoo test sheet that begin with two underscores, read for cases. */
export interface PromptfooSheet {
  /** `__description`, `__metric` and `__metadata:*`. */
  tags: { name: string; at: number }[];
  /** The one expectation of a row that is a text to be found in the answer; null when the sheet has none at all. */
  expected: ((cells: readonly string[]) => string) | null;
  /** The row's expectations as scorers, with `__threshold`. */
  checks: (
    row: { cells: readonly string[]; row: number },
    reader: { expectation: ExpectationReader; scorer: CheckReader["scorer"] },
    onCell: (message: string, hint: string | null, at: number) => void,
  ) => CaseChecks;
  /** `__prefix` and `__suffix`: what is set around the prompt. */
  around: { prefix: number; suffix: number };
  /** Notes on the columns and expectations read so far that have no counterpart. */
  remarks: () => string[];
}

const special =
  /^__(?:expected\d*|description|metadata(?::.*)?|threshold|prefix|suffix|metric|config:.+|provider.*|providerOutput)$/;

/** True for a column that means something to promptfoo. */
export function isPromptfooColumn(column: string): boolean {
  return special.test(column.trim());
}

/** True for the header of a promptfoo test sheet. */
export function isPromptfooSheet(header: readonly string[]): boolean {
  return header.some(isPromptfooColumn);
}

/** The column with an output that promptfoo takes instead of asking; null when there is none. */
export function promptfooOutput(header: readonly string[]): string | null {
  return header.find((name) => name.trim() === "__providerOutput") ?? null;
}

/** Reads a promptfoo test sheet by its header; null when it is none. */
export function promptfooSheet(header: readonly string[]): PromptfooSheet | null {
  if (!isPromptfooSheet(header)) return null;
  const columns = header.map((name, at) => ({ name: name.trim(), at })).filter(({ name }) => isPromptfooColumn(name));
  const placeOf = (name: string): number => columns.find((column) => column.name === name)?.at ?? -1;
  const expectations = columns.filter(({ name }) => /^__expected\d*$/.test(name));
  const without = columns.filter(({ name }) => /^__(?:metadata:?$|config:(?!.+:threshold$)|provider$)/.test(name));
  const left = new Left();
  return {
    tags: tagsOf(columns),
    expected: expectations.length === 0 ? null : (cells) => onlyText(expectations.map(({ at }) => cells[at] ?? "")),
    checks: ({ cells, row }, reader, onCell) => {
      for (const { name, at } of without)
        if ((cells[at] ?? "").trim() !== "") left.note(name, row, "a suite has nothing like it");
      const scorers: JsonObject[] = [];
      for (const { name, at } of expectations) {
        const text = (cells[at] ?? "").trim();
        if (text === "") continue;
        const config = [
          `__config:${name}:threshold`,
          ...(name === "__expected" ? ["__config:__expected1:threshold"] : []),
        ];
        const own = shareOf(cells, Math.max(...config.map(placeOf)), onCell);
        const check = own === null ? reader.expectation(text) : reader.expectation(text, own);
        if ("without" in check) {
          left.note(check.without, row, check.why);
          continue;
        }
        const checked = reader.scorer(check.scorer);
        if (checked.ok) scorers.push(checked.scorer);
        else onCell(`the expectation ${showText(text)} cannot be checked: ${checked.fault}`, null, at);
      }
      return { scorers, threshold: shareOf(cells, placeOf("__threshold"), onCell) };
    },
    around: { prefix: placeOf("__prefix"), suffix: placeOf("__suffix") },
    remarks: () => left.remarks(),
  };
}

function tagsOf(columns: readonly { name: string; at: number }[]): PromptfooSheet["tags"] {
  return columns.flatMap(({ name, at }) => {
    const plain = /^__(description|metric)$/.exec(name)?.[1];
    const tag = plain ?? /^__metadata:(.+?)(?:\[\])?$/.exec(name)?.[1];
    return tag === undefined ? [] : [{ name: tag, at }];
  });
}

/** A cell with a threshold; null when there is none. */
function shareOf(
  cells: readonly string[],
  at: number,
  onCell: (message: string, hint: string | null, at: number) => void,
): number | null {
  const text = (at < 0 ? "" : (cells[at] ?? "")).trim();
  if (text === "") return null;
  const value = Number(text.replace(",", "."));
  if (Number.isFinite(value)) return value;
  onCell(`the threshold must be a number, got ${showText(text)}`, "Write it with a point, such as 0.8.", at);
  return null;
}

/** Expectations that have no counterpart: their number, the row of the first, and why. */
class Left {
  readonly #kinds = new Map<string, { rows: number; first: number; why: string | null }>();

  note(kind: string, row: number, why: string | null): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, { rows: 1, first: row, why });
    else known.rows += 1;
  }

  remarks(): string[] {
    if (this.#kinds.size === 0) return [];
    const listed = Array.from(this.#kinds, ([kind, { rows, first }]) =>
      rows === 1 ? `${kind} (row ${first})` : `${kind} (${rows.toLocaleString("en")}, first in row ${first})`,
    );
    const reasons = Map.groupBy(this.#kinds, ([, { why }]) => why);
    const reported = Array.from(reasons, ([why, kinds]) =>
      why === null
        ? " `tandem init` with this sheet makes a judge and a module of the rubrics and the javascript."
        : ` ${kinds.map(([kind]) => kind).join(", ")}: ${why}.`,
    );
    return [`These expectations of promptfoo are not graded: ${listed.join(", ")}.${reported.join("")}`];
  }
}

/** Kinds of expectation whose value is a text that the answer should have. */
const textual = new Set(["equals", "contains", "icontains"]);

/**
 * The expected answer as a person would say it: the text of the only expectation that is one, empty when there is none
 * or several.
 */
function onlyText(cells: readonly string[]): string {
  const texts = cells.map(textOf).filter((text) => text !== null);
  return texts.length === 1 ? (texts[0] ?? "") : "";
}

/** The text of an expectation that the answer should have; null for an empty cell and every other kind. */
function textOf(cell: string): string | null {
  const trimmed = cell.trim();
  if (trimmed === "" || trimmed.startsWith("file://")) return null;
  const read = expectationText(trimmed);
  if (read === null) return cell;
  return textual.has(read.kind) && !read.not ? read.value : null;
}
