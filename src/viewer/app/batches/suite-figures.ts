import type { NightDifference } from "../../../report/shape/history.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import type { LastNight, SuiteStanding } from "../../../report/shape/standing.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { counted } from "../../../report/say/quantity.ts";
import { shortDay } from "../../../report/say/night-names.ts";
import { batchAddress } from "../data/batch-address.ts";
import { type Reach, reachOfIntervals } from "../parts/interval.tsx";

/** The differences of a suite that tell of its verdict: a choice is not about its losers. */
function measured({ last }: SuiteStanding): readonly NightDifference[] {
  return last === null || last.chosen.length > 0 ? [] : last.differences;
}

/** The difference of the candidate that lost most in the last run; null: nothing is compared, or nothing was measured. */
export function worstDifference(standing: SuiteStanding): NightDifference | null {
  const known = measured(standing).filter(({ difference }) => difference !== null);
  return known.toSorted((one, other) => (one.difference ?? 0) - (other.difference ?? 0))[0] ?? null;
}

/** One scale for the rates of all suites, in points; null: no suite has any. A metric in another unit is not drawn beside them. */
export function commonScale(suites: readonly SuiteStanding[]): { reach: Reach; metric: ReportMetric } | null {
  const rates = suites.filter(({ metric }) => metric?.passes === true);
  const [first] = rates;
  const drawn = rates.flatMap((standing) => worstDifference(standing) ?? []);
  if (first?.metric === undefined || first.metric === null || drawn.length === 0) return null;
  return { reach: reachOfIntervals(drawn, first.metric), metric: first.metric };
}

/** The values of the main metric in the last run, the baseline first; of one target, or an invalid night, as far as there are any. */
export function lastValues({ last, past, metric }: SuiteStanding, pair: NightDifference | null): (number | null)[] {
  if (last === null || metric === null || last.verdict === "invalid") return [];
  const scores = past.findLast(({ batch }) => batch === last.batch)?.scores ?? {};
  const own = last.chosen.length > 0 ? last.chosen : last.targets.map(({ target }) => target);
  const names = pair === null ? own : [pair.baseline, pair.candidate];
  return names.map((name) => scores[name]?.[metric.name]?.value ?? null);
}

/** Since when what is wrong is so, and in how many nights: `11 Nov  12x`; null: nothing is. */
export function sinceOf({ reasons }: SuiteStanding): { day: string; nights: number; batch: string } | null {
  const [first] = reasons;
  if (first === undefined) return null;
  return { day: shortDay(first.began.at), nights: first.nights, batch: first.began.batch };
}

/** Runs without an answer in the last run. */
export const failedRuns = ({ targets }: LastNight): number => targets.reduce((sum, { failed }) => sum + failed, 0);

/** The thing to do next about a suite: a way to rows or a night, or a command to copy. */
export type SuiteNext =
  | { kind: "open"; words: string; href: string; isMain: boolean }
  | { kind: "copy"; words: string; command: string; isMain: boolean };

/** Null: it has no night yet. */
export function nextOf(standing: SuiteStanding): SuiteNext | null {
  const { last, reasons, resume } = standing;
  if (last === null) return null;
  const [first] = reasons;
  const isMain = first !== undefined && !first.isKnown;
  const open = (words: string, href: string): SuiteNext => ({ kind: "open", words, href, isMain });
  switch (first?.kind) {
    case "regression": {
      const lost = last.differences
        .filter(({ newlyFailing }) => (newlyFailing ?? 0) > 0)
        .toSorted((one, other) => (other.newlyFailing ?? 0) - (one.newlyFailing ?? 0))[0];
      if (lost === undefined) return open("Open the run", batchAddress(last.batch));
      const rows = { target: lost.candidate, group: rowGroup.flip("pass-to-fail") };
      return open(`See the ${counted(lost.newlyFailing ?? 0, "row")}`, batchAddress(last.batch, rows));
    }
    case "invalid":
      return failedRuns(last) > 0
        ? open("See the errors", batchAddress(last.batch, { text: "errors" }))
        : open("Open the run", batchAddress(last.batch));
    case "unfinished":
      return resume === null
        ? open("Open the run", batchAddress(last.batch))
        : { kind: "copy", words: "Copy resume", command: resume, isMain };
    case "alarm":
      return open(`Open ${shortDay(first.began.at)}`, batchAddress(first.began.batch));
    case undefined:
      return open("Open", batchAddress(last.batch));
  }
}
