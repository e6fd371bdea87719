import type { Case } from "../../dataset/case.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { isAbout, type ScorerSpec } from "../../score/contract/spec.ts";
import { columnsNamed, needsColumns } from "../../score/make.ts";
import { type Fault, fault } from "../../lib/fault.ts";
import type { Suite } from "../../suite/suite.ts";
import { type ErrorOf, refuseFaults } from "./refuse-faults.ts";

/** The cells and rows that scorers cannot do without, as the cases pass by before anything is sent. */
interface ScorerColumnWatch {
  onCase: (found: Case) => void;
  /** Refuses scorers whose column no row has, or no row that they grade fills, and examples that are no row. Throws SUITE_INVALID or, of flags, USAGE. */
  check: (errorOf: ErrorOf) => void;
}

export function watchScorerColumns({ scorers }: Pick<Suite, "scorers">): ScorerColumnWatch {
  const needed = scorers.flatMap((spec, place) =>
    needsColumns(spec).map((column) => ({ spec, place, column, graded: 0, filled: 0 })),
  );
  const examples = scorers.flatMap((spec, place) => (spec.examples === undefined ? [] : [watchExamples(spec, place)]));
  const named = scorers.flatMap((spec, place) => columnsNamed(spec).map((each) => ({ ...each, place })));
  const columns = new Set<string>();
  let cases = 0;
  return {
    onCase(found) {
      for (const each of examples) each.onCase(found);
      if (needed.length === 0 && named.length === 0) return;
      cases += 1;
      for (const name in found.columns) columns.add(name);
      for (const each of needed) {
        if (!isAbout(each.spec, found)) continue;
        each.graded += 1;
        if ((found.columns[each.column] ?? "").trim() !== "") each.filled += 1;
      }
    },
    check(errorOf) {
      const faults = needed.flatMap(({ spec, place, column, graded, filled }): Fault[] => {
        if (graded === 0 || filled > 0) return [];
        const key = spec.options["sources"] === undefined ? "rubric" : "sources";
        const needs = `needs the column ${showText(column)}, and`;
        const message = columns.has(column) ? `${needs} no row fills it` : `${needs} the dataset has none`;
        const other = columns.has(column) ? null : didYouMean(column, [...columns]);
        const hint = `${other === null ? "" : `${other} `}Name the column with the sources (sources: COLUMN), or let the bot tell its own (sources_on: PATH).`;
        return [fault(["scorers", place, key], message, hint)];
      });
      const known = [...columns];
      const unknown = cases === 0 ? [] : named.filter(({ column }) => !columns.has(column));
      for (const { place, key, column } of unknown) {
        const message = `names the column ${showText(column)}, which the dataset does not have`;
        const hint = didYouMean(column, known) ?? `The dataset has: ${known.map((name) => showText(name)).join(", ")}.`;
        faults.push(fault(["scorers", place, key], message, hint));
      }
      refuseFaults([...faults, ...examples.flatMap((each) => each.faults())], errorOf);
    },
  };
}

/** Keys of rows that are shown beside one that was not found. */
const mostKeys = 2_000;

/** The examples that a judge was written with, each of which is a row: one that is none may be another than was meant. */
function watchExamples({ examples: { keys = [], tags = {} } = {} }: ScorerSpec, place: number) {
  const open = new Set(keys);
  const values = new Map(
    Object.entries(tags).flatMap(([tag, own]) => own.map((value) => [idOf(tag, value), `${tag}: ${value}`] as const)),
  );
  const known: string[] = [];
  let cases = 0;
  return {
    onCase({ key, tags: own }: Case): void {
      cases += 1;
      open.delete(key);
      if (known.length < mostKeys) known.push(key);
      for (const [tag, value] of Object.entries(own)) values.delete(idOf(tag, value));
    },
    faults(): Fault[] {
      if (cases === 0) return [];
      const path = ["scorers", place, "examples"];
      const [key] = open;
      const lost = [...values.values()];
      const more = open.size > 1 ? ` (and ${open.size - 1} more)` : "";
      return [
        ...(key === undefined
          ? []
          : [fault(path, `names ${showText(key)}${more}, the key of no row`, didYouMean(key, known) ?? takeOut)]),
        ...(lost.length === 0 ? [] : [fault(path, `names ${showText(lost.join(", "))}, a tag of no row`, takeOut)]),
      ];
    },
  };
}

const idOf = (tag: string, value: string): string => JSON.stringify([tag, value]);

const takeOut = "An example that is no row (any more) needs no mention: take it out.";
