import type { Case } from "../../dataset/case.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { isAbout } from "../../score/contract/spec.ts";
import { needsColumns } from "../../score/make.ts";
import { type Fault, fault } from "../../suite/fault.ts";
import type { LoadedSuite } from "../../suite/load.ts";
import type { Suite } from "../../suite/suite.ts";

/** The cells that scorers cannot do without, as the cases pass by before anything is sent. */
export interface ScorerColumnWatch {
  onCase: (found: Case) => void;
  /**
   * Refuses scorers whose column no row has, or no row that they grade fills. `errorOf` makes the error that tells where; left
   * out: nowhere. Throws SUITE_INVALID or, of flags, USAGE.
   */
  check: (errorOf?: LoadedSuite["errorOf"]) => void;
}

export function watchScorerColumns({ scorers }: Pick<Suite, "scorers">): ScorerColumnWatch {
  const needed = scorers.flatMap((spec, place) =>
    needsColumns(spec).map((column) => ({ spec, place, column, graded: 0, filled: 0 })),
  );
  const columns = new Set<string>();
  return {
    onCase(found) {
      if (needed.length === 0) return;
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
        const known = Array.from(columns);
        const message = columns.has(column) ? `${needs} no row fills it` : `${needs} the dataset has none`;
        const other = columns.has(column) ? null : didYouMean(column, known);
        const hint = `${other === null ? "" : `${other} `}Name the column with the sources (sources: COLUMN), or let the bot tell its own (sources_on: PATH).`;
        return [fault(["scorers", place, key], message, hint)];
      });
      if (faults.length === 0) return;
      if (errorOf !== undefined) throw errorOf(faults);
      const lines = faults.map(({ path, message, hint }) => `${path.join(".")} ${message}. ${hint ?? ""}`.trim());
      throw new AppError("SUITE_INVALID", lines.join("\n"));
    },
  };
}
