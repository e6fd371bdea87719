import type { ComparedMetric } from "../comparison-plan.ts";

interface Floor {
  cases: number;
  /** Cases that the baseline passes, and of them those that the candidate lost; and those that it gained. */
  passing: number;
  lost: number;
  gained: number;
  /** Characters of an expected answer in the median; null where none is expected. */
  expectedLength: number | null;
}

/** Types that look for the whole expected text, and what they ask for. */
const wholeText: Readonly<Record<string, string>> = {
  contains: "asks for the whole text",
  icontains: "asks for the whole text",
  equals: "asks for the very same text",
  "starts-with": "asks for the whole text at the start",
  "ends-with": "asks for the whole text at the end",
};

/** Longer than a word or a number. */
const sentence = 25;

/** Counts of the few cases that pass a metric which cannot tell two bots apart, and why that may be; null for one that does not pass or fail. */
export interface FloorCause {
  cases: number;
  baseline: number;
  candidate: number;
  /** A sentence on what the scorer asks for, and what to use instead; null: it is not known. */
  advice: string | null;
}

/** Why a metric that hardly anything passes says nothing of these cases; null where it is not known. */
export function floorCause({ metric, of }: ComparedMetric, floor: Floor): FloorCause | null {
  if (of !== "pass" || floor.cases === 0) return null;
  const { cases, passing, lost, gained, expectedLength } = floor;
  const asks = wholeText[metric.type];
  const isSentence = asks !== undefined && expectedLength !== null && expectedLength >= sentence;
  const advice = isSentence
    ? `The expected answers are long (typically ${expectedLength} characters), and ${metric.type} ${asks}. Write only the part that must be in the answer (such as \`09:00\`), or use chrf or a judge`
    : null;
  return { cases, baseline: passing, candidate: passing - lost + gained, advice };
}

/** Why a metric that is at the end of its scale cannot tell whether a bot is worse. */
export function floorWords(
  { metric, baseline, candidate }: { metric: string; baseline: string; candidate: string },
  cause: FloorCause | null,
): string {
  if (cause === null)
    return `\`${metric}\` of ${baseline} is at the end of its scale, and cannot fall by the limit: it cannot tell whether ${candidate} is worse`;
  const of = `of ${cause.cases.toLocaleString("en-US")}`;
  const passes =
    cause.baseline === cause.candidate
      ? `Both bots pass ${cause.baseline} ${of}, so \`${metric}\` cannot tell them apart`
      : `${baseline} passes ${cause.baseline} ${of} and ${candidate} ${cause.candidate}: there is no more to lose than the limit, so \`${metric}\` cannot tell whether ${candidate} is worse`;
  return cause.advice === null ? passes : `${passes}. ${cause.advice}`;
}
