import { openRace, raceBounds, type RaceEnd } from "../../stats/choice/race.ts";
import { growingFloats } from "../tallies/growing.ts";
import { askedAgain, inputKey } from "../tallies/questions.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { type ReadSide, readSide } from "../cases/case-side.ts";
import { signOf } from "../cases/case-turn.ts";
import { type ComparedTarget, type ComparedMetric, rangeOf } from "../comparison-plan.ts";

/** The rules of a race, as its suite sets them. */
export interface RaceSettings {
  /** close: it ends with one that none of those that are left is better than by the margin; best: when one is left. */
  until: "close" | "best";
  /** In the unit of the score. */
  margin: number;
}

/** Chances of a wrong answer of each kind: the best one is dropped, or one is close enough that is not. */
export const raceLevel = { drop: 0.025, close: 0.025 };

/** A race as far as it has come. Plain JSON. */
export interface RaceStanding extends RaceSettings {
  /** Cases that entered, of clusters that were complete. */
  cases: number;
  clusters: number;
  /** Null: it has not ended by itself. */
  end: { kind: RaceEnd["kind"]; target: string; cases: number } | null;
  /** All were asked to the end, dropped ones too. */
  isWhole: boolean;
  /** Every cluster of the plan has entered. */
  isThrough: boolean;
  configurations: RacedConfiguration[];
}

interface RacedConfiguration {
  target: string;
  /** Cases of the race after which it was dropped; null: it was not. */
  droppedAfter: number | null;
  /** Mean over the cases that entered while it was asked; null of none. */
  mean: number | null;
  /** Number of them. */
  cases: number;
  /** Mean less that of the best of the others, positive where better: bounds that hold for all at once; null: nothing is said. */
  lower: number | null;
  upper: number | null;
}

/** Follows a race while one whole cluster after the other enters. */
export interface RaceWatch {
  /** Enters a cluster, all runs of whose cases are finished by all that are still asked. */
  add: (results: readonly PairedResult[]) => void;
  /** For each configuration the clusters after which it was dropped; null: it is still asked. */
  droppedAfter: () => readonly (number | null)[];
  hasEnded: () => boolean;
  /** Cases that entered. */
  cases: () => number;
  /** `isThrough`: there is no cluster left. */
  standing: (isThrough: boolean) => RaceStanding;
}

interface RacePlan {
  /** The sides that are chosen among. */
  sides: readonly ComparedTarget[];
  compared: ComparedMetric;
  /** The most cases that a cluster of the plan has. */
  most: number;
  /** Rows that ask the same may belong together. */
  clustered: boolean;
  isIndependent?: boolean;
  /** All were asked to the end: what comes after its end enters too. */
  isWhole: boolean;
}

/** Races by one metric, whose scores have two ends. A case without a score of one that is still asked leaves for all of them. */
export function raceWatch(settings: RaceSettings, plan: RacePlan): RaceWatch {
  const { sides, compared, most, isWhole } = plan;
  const range = rangeOf(compared) ?? Infinity;
  const sign = signOf(compared);
  const isAgain = askedAgain(plan);
  const race = openRace({
    configurations: sides.length,
    range,
    most,
    alphaDrop: raceLevel.drop,
    closeEnough: settings.until === "close" ? { margin: settings.margin, alpha: raceLevel.close } : null,
    goesOn: isWhole,
  });
  const sums = sides.map(growingFloats);
  const sizes = growingFloats();
  const own = sides.map(() => ({ sum: 0, cases: 0 }));
  /** Cases that had entered with each cluster. */
  const entered = growingFloats();
  const casesAt = (clusters: number): number => entered.view()[clusters - 1] ?? 0;
  let cases = 0;

  const scoresOf = (result: PairedResult): (number | null)[] | null => {
    const read: ReadSide[] = sides.map((side) => readSide(result, side, [compared]));
    const scores = read.map(({ side }) => side.scores[0]);
    if (scores.some((score) => score?.isBeside === true)) return null;
    return scores.map((score) => (typeof score?.mean === "number" ? sign * score.mean : null));
  };

  return {
    add(results) {
      const dropped = race.droppedAfter();
      const total = sides.map(() => 0);
      let size = 0;
      for (const result of results) {
        const scores = scoresOf(result);
        if (scores === null || scores.some((score, place) => score === null && dropped[place] === null)) continue;
        if (isAgain(inputKey(result))) continue;
        size += 1;
        for (const [place, score] of scores.entries()) {
          const tally = own[place];
          if (score === null || tally === undefined || (dropped[place] !== null && !isWhole)) continue;
          total[place] = (total[place] ?? 0) + score;
          tally.sum += score;
          tally.cases += 1;
        }
      }
      cases += size;
      for (const [place, sum] of total.entries()) sums[place]?.push(sum);
      sizes.push(size);
      entered.push(cases);
      race.add(total, size);
    },
    droppedAfter: race.droppedAfter,
    hasEnded: () => race.end() !== null,
    cases: () => cases,
    standing(isThrough) {
      const droppedAfter = race.droppedAfter();
      const bounds = raceBounds(
        { sums: sums.map((each) => each.view()), sizes: sizes.view(), droppedAfter, isWhole },
        { range, most, alphaDrop: raceLevel.drop, alphaClose: raceLevel.close },
      );
      const end = race.end();
      return {
        ...settings,
        cases,
        clusters: sizes.view().length,
        end:
          end === null
            ? null
            : { kind: end.kind, target: sides[end.configuration]?.target ?? "", cases: casesAt(end.after) },
        isWhole,
        isThrough,
        configurations: sides.map(({ target }, place) => {
          const { sum, cases: counted } = own[place] ?? { sum: 0, cases: 0 };
          const at = droppedAfter[place] ?? null;
          return {
            target,
            droppedAfter: at === null ? null : casesAt(at),
            mean: counted === 0 ? null : (sign * sum) / counted,
            cases: counted,
            ...(bounds[place] ?? { lower: null, upper: null }),
          };
        }),
      };
    },
  };
}
