import { type DriftNight, type DriftReference, driftBegan, driftRatio, driftStatistics } from "./drift.ts";

/** Grades of a judge from 0 to 1 on the same questions, in their order; null: it gave none. */
export type GradesInOrder = readonly (number | null)[];

/** Share of the scale by which a grade has to differ to count as another one; with a little more, as 0.65 - 0.5 is for a computer. */
export const flipShare = 0.15 + 1e-9;

/** One false alarm in two years of weeks for higher grades and one for lower ones at the most, in the mean: an alarm from here on. */
export const weeklyThreshold = 2 * 52;

/** Above this share of other grades, when the same is asked twice, other grades tell nothing: false alarms in a year are more than one in ten. */
const noiseLimit = 0.1;

/** Grades that are higher and lower than before, of those that were given both times. */
export interface GradeFlips {
  higher: number;
  lower: number;
  of: number;
}

export function flipsOf(before: GradesInOrder, now: GradesInOrder): GradeFlips {
  const moves = now.flatMap((grade, place) => {
    const then = before[place] ?? null;
    return grade === null || then === null ? [] : [grade - then];
  });
  const higher = moves.filter((by) => by > flipShare).length;
  const lower = moves.filter((by) => by < -flipShare).length;
  return { higher, lower, of: moves.length };
}

/** A judge that is asked the same again and again. */
interface WatchedGrades {
  /** Its grades when it was asked, the oldest first: those by which it is known, those of the second time, then one for each week. */
  asked: readonly GradesInOrder[];
  /** Other grades when the same was asked twice in one check. */
  noise: DriftReference;
}

/** Share of its grades that are others when the same is asked twice; null: that is not known yet. */
export function gradeNoise({ asked: [first, second], noise }: WatchedGrades): number | null {
  const reference = first === undefined || second === undefined ? noise : referenceOf(first, second, noise);
  return reference.verdicts === 0 ? null : reference.flips / reference.verdicts;
}

export const isNoisy = (watched: WatchedGrades): boolean => (gradeNoise(watched) ?? 0) > noiseLimit;

function referenceOf(first: GradesInOrder, second: GradesInOrder, noise: DriftReference): DriftReference {
  const { higher, lower, of } = flipsOf(first, second);
  return { flips: noise.flips + higher + lower, verdicts: noise.verdicts + of };
}

/**
 * The place among the asked since which the judge is most likely another, where its last grades are an alarm; null: they are none.
 * `isChecked`: the first grades are those of the check, which knows how noisy they are.
 */
export function judgeChangedSince(watched: WatchedGrades & { isChecked: boolean }): number | null {
  const { asked, noise, isChecked } = watched;
  const [first, second, ...weeks] = asked;
  if (isChecked && first !== undefined && second !== undefined && weeks.length === 0)
    return hasMovedSinceCheck(first, second, noise) ? 1 : null;
  const began = (weeklyEvidence(watched) ?? []).flatMap(({ ratios, statistics }) =>
    (statistics.at(-1) ?? 0) < weeklyThreshold ? [] : [driftBegan(ratios) + 2],
  );
  return began.length === 0 ? null : Math.min(...began);
}

/**
 * More grades have moved since the check than it changed itself when it asked twice. Without this a judge that became another before
 * it was first asked again would pass for a noisy one, or its change for its noise.
 */
function hasMovedSinceCheck(first: GradesInOrder, second: GradesInOrder, noise: DriftReference): boolean {
  return ([1, -1] as const).some((sign) => {
    const moves = movesOf(second, { first, places: movable(first, sign), sign });
    return driftRatio(moves, noise) >= weeklyThreshold;
  });
}

/** The places whose grades can become so much higher (1) or lower (-1) that they count as others. */
function movable(grades: GradesInOrder, sign: 1 | -1): number[] {
  return grades.flatMap((grade, place) => {
    if (grade === null) return [];
    return (sign === 1 ? grade < 1 - flipShare : grade > flipShare) ? [place] : [];
  });
}

function movesOf(
  grades: GradesInOrder,
  { first, places, sign }: { first: GradesInOrder; places: readonly number[]; sign: 1 | -1 },
): DriftNight {
  const moves = places.flatMap((place) => {
    const grade = grades[place] ?? null;
    return grade === null ? [] : [sign * (grade - (first[place] ?? 0))];
  });
  return { flips: moves.filter((by) => by > flipShare).length, grades: moves.length };
}

/** The evidence that the judge has changed after each week, for higher and for lower grades; null: there is no week yet, or it is noisy. */
export function weeklyEvidence(watched: WatchedGrades): { ratios: number[]; statistics: number[] }[] | null {
  const { asked, noise } = watched;
  const [first, second, ...weeks] = asked;
  if (first === undefined || second === undefined || weeks.length === 0 || isNoisy(watched)) return null;
  const reference = referenceOf(first, second, noise);
  return ([1, -1] as const).map((sign) => {
    // A question that it graded otherwise the second time has no usual grade.
    const places = movable(first, sign).filter((place) => {
      const again = second[place] ?? null;
      return again !== null && Math.abs(again - (first[place] ?? 0)) <= flipShare;
    });
    const ratios = weeks.map((week) => driftRatio(movesOf(week, { first, places, sign }), reference));
    return { ratios, statistics: driftStatistics(ratios) };
  });
}
