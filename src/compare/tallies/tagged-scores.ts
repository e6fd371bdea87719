import type { Interval } from "../../stats/interval.ts";
import type { SideValue } from "../cases/side-value.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import { type ScoreTally, scoreTally } from "./score-tally.ts";

/** A metric of one target in the cases with one value of a tag: a description, by which nothing is decided. */
export interface TaggedScore {
  tag: string;
  value: string;
  cases: number;
  mean: number | null;
  /** As of all cases together. */
  interval: Interval | null;
}

/** Values of tags that are counted, and those that are told: the lowest tell most. */
const mostCounted = 400;
const mostTold = 40;

/** Scores of a metric by the values of tags; null: of none. */
export function taggedScores(compared: ComparedMetric | null, clustered: boolean) {
  const tallies = new Map<string, { tag: string; value: string; tally: ScoreTally }>();
  return {
    add(tags: Readonly<Record<string, string>>, score: SideValue | undefined, cluster: number): void {
      if (compared === null) return;
      for (const [tag, value] of Object.entries(tags)) {
        if (value.trim() === "") continue;
        const name = JSON.stringify([tag, value]);
        let known = tallies.get(name);
        if (known === undefined) {
          if (tallies.size >= mostCounted) continue;
          known = { tag, value, tally: scoreTally(compared, clustered) };
          tallies.set(name, known);
        }
        known.tally.add(score, cluster);
      }
    },
    result(): { byTag?: TaggedScore[] } {
      if (tallies.size === 0) return {};
      const found = Array.from(tallies.values(), ({ tag, value, tally }): TaggedScore => {
        const { cases, mean, interval } = tally.score();
        return { tag, value, cases, mean, interval };
      });
      const lower = compared?.metric.lowerIsBetter === true && compared.of !== "pass" ? -1 : 1;
      const told = found.filter(({ cases }) => cases > 0).toSorted((a, b) => lower * ((a.mean ?? 0) - (b.mean ?? 0)));
      return { byTag: told.slice(0, mostTold) };
    },
  };
}
