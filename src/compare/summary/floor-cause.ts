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

/** Why a metric that hardly anything passes says nothing of these cases; null where it is not known. */
export function floorCause({ metric, of }: ComparedMetric, floor: Floor): string | null {
  if (of !== "pass" || floor.cases === 0) return null;
  const { cases, passing, lost, gained, expectedLength } = floor;
  const now = passing - lost + gained;
  const all = cases.toLocaleString("en-US");
  const passes =
    passing === now
      ? `${metric.type} passes in ${passing} of ${all} on both sides`
      : `${metric.type} passes in ${passing} of ${all} on the baseline, in ${now} on the candidate`;
  const asks = wholeText[metric.type];
  if (asks === undefined || expectedLength === null || expectedLength < sentence) return passes;
  return `${passes}; expected answers have ${expectedLength} characters in the median: ${metric.type} ${asks}`;
}
