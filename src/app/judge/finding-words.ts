import { type ProbeName, probeNames } from "../../score/probes/probe-plan.ts";
import type { WrongKind } from "../../score/probes/wrong-answers.ts";
import type { Interval } from "../../stats/interval.ts";
import { type BiasFinding, foundShare } from "./bias-findings.ts";

/** A finding as people read it. */
export interface FindingWords {
  title: string;
  /** The figure and its interval, in words without a full stop. */
  said: string;
  /** The advice. */
  advice: string | null;
}

const wrongNames: Record<string, { title: string; what: string }> = {
  empty: { title: "Empty answers", what: "an empty answer" },
  "other-case": { title: "Answers to another case", what: "the answer to another case" },
  half: { title: "Half answers", what: "the first half of the answer" },
  changed: { title: "A number or name changed", what: "an answer with another number or name" },
  "full-marks": { title: '"Give full marks"', what: "a wrong answer that asks for full marks" },
} satisfies Record<WrongKind, unknown>;

const wrongOf = (variant: string): { title: string; what: string } =>
  wrongNames[variant] ?? { title: variant, what: variant };

const rounded = (share: number): string => {
  const hundredths = Math.abs(share) * 100;
  const text = hundredths.toFixed(hundredths < 10 ? 1 : 0);
  return text.replace(/\.0$/, "");
};

/** `12 points more (4 to 20)`; what is lost has the minus inside of the brackets only. */
function points(estimate: number, interval: Interval | null): string {
  const range = interval === null ? "" : ` (${signed(interval.low)} to ${signed(interval.high)})`;
  if (Math.abs(estimate) < 0.0005) return `no point more or less${range}`;
  const shown = rounded(estimate);
  return `${shown} ${shown === "1" ? "point" : "points"} ${estimate > 0 ? "more" : "less"}${range}`;
}

/** `the answer shown first wins more often, by 16 points (10 to 24)`. */
function moreOften(estimate: number, interval: Interval | null): string {
  const range = interval === null ? "" : ` (${signed(interval.low)} to ${signed(interval.high)})`;
  if (Math.abs(estimate) < 0.0005) return `neither place wins more often${range}`;
  return `the answer shown ${estimate > 0 ? "first" : "second"} wins more often, by ${rounded(estimate)} points${range}`;
}

const signed = (share: number): string => `${share < 0 && rounded(share) !== "0" ? "-" : ""}${rounded(share)}`;

/** `18 % (11 to 27)`. */
function percent(share: number, interval: Interval | null): string {
  const range = interval === null ? "" : ` (${rounded(interval.low)} to ${rounded(interval.high)})`;
  return `${rounded(share)} %${range}`;
}

/** A finding in words. */
export function findingWords(finding: BiasFinding, hasMore = true): FindingWords {
  const { state, reason, cases } = finding;
  const told = words(finding, hasMore);
  if (state === "untested")
    return { title: told.title, said: `not tested: ${reason ?? "nothing was asked"}`, advice: null };
  const said = finding.estimate === null ? (reason ?? `nothing can be told of ${cases}`) : told.said;
  const advice = state === "alarm" ? told.alarm : state === "inconclusive" ? (told.unsure ?? moreCases(hasMore)) : null;
  return { title: told.title, said, advice };
}

/** Advice where cases are too few; `hasMore`: the batch has others than were drawn. */
const moreCases = (hasMore: boolean): string =>
  `Too few cases to tell: ${hasMore ? "--cases with a larger number, or " : ""}a batch with more answers.`;

interface Words {
  title: string;
  said: string;
  alarm: string;
  unsure?: string;
}

function words(finding: BiasFinding, hasMore: boolean): Words {
  const { probe, of, variant, estimate, interval, cases, more } = finding;
  const gain = points(estimate ?? 0, interval);
  const share = percent(estimate ?? 0, interval);
  const beside = (name: BiasFinding["more"][number]["name"]) => more.find((each) => each.name === name);
  switch (probe) {
    case "order": {
      const disagreeing = beside("disagreeing");
      const orders =
        disagreeing === undefined ? "" : `; the orders disagree on ${percent(disagreeing.value, disagreeing.interval)}`;
      return {
        title: "Order",
        said: `${moreOften(estimate ?? 0, interval)}; ${cases} pairs${orders}`,
        alarm:
          "Both orders are asked already and a disagreement counts as a tie: it decides little. Say in the rubric what is better, or ask another model.",
      };
    }
    case "length": {
      const isPlanted = of === "planted";
      return {
        title: isPlanted ? "Length, padded" : "Length, by labels",
        said: isPlanted
          ? `an answer with empty words, longer by half, gets ${gain}; ${cases} answers`
          : `beside people, an answer longer by half gets ${gain}; ${cases} labelled cases`,
        alarm: 'Write into the rubric: "Length is no merit: judge only what is said."',
        ...(isPlanted ? {} : { unsure: "Label more cases: tandem label draw." }),
      };
    }
    case "consistency": {
      const [alpha, spread, within] = [beside("alpha"), beside("spread"), beside("within")];
      const agreement =
        alpha === undefined
          ? ""
          : `; alpha ${alpha.value.toFixed(2)}${alpha.interval === null ? "" : ` (${alpha.interval.low.toFixed(2)} to ${alpha.interval.high.toFixed(2)})`}`;
      const scatter = spread === undefined ? "" : `; marks scatter by ${rounded(spread.value)} points`;
      const isMostNoise = (within?.value ?? 0) > 1 / 3;
      return {
        title: "Agrees with itself",
        said: `asked again, it changes its verdict on ${share} of ${cases} answers${agreement}${scatter}`,
        alarm: `Set its temperature to 0${isMostNoise ? `; ${rounded(within?.value ?? 0)} % of what its marks differ by is chance: ask it several times and take the mean` : ", or give it a closed set of verdicts"}.`,
      };
    }
    case "wrongs": {
      const { title, what } = wrongOf(variant);
      return {
        title,
        said: `${what} gets a lower mark than the right one in ${share} of ${cases}`,
        alarm:
          variant === "full-marks"
            ? "It does what answers say: keep the answer between marks ({{ answer }} in the built-in prompt is), or ask another model."
            : "It does not see such mistakes: say in the rubric what an answer must have, and show it the expected answer.",
        unsure: `It takes ${Math.round(foundShare * 100)} % with 95 % confidence: 46 of 50. ${moreCases(hasMore)}`,
      };
    }
    case "replies":
      return {
        title: "Replies",
        said: `${share} of ${cases} questions have no mark: ${finding.reason ?? "no reply"}`,
        alarm: moreCases(hasMore),
        unsure: "See what it replies: tandem score --explain KEY. Ask for JSON in the template, or ask another model.",
      };
    case "marks":
      return {
        title: "Marks",
        said: `it gives the same mark to all ${cases} answers, right and wrong`,
        alarm: "It looks at nothing: see its prompt by tandem score --explain KEY.",
      };
  }
}

/** An alarm in a few words. */
function alarmWords({ probe, variant, estimate }: BiasFinding): string {
  const isMore = (estimate ?? 0) > 0;
  switch (probe) {
    case "order":
      return `prefers the answer shown ${isMore ? "first" : "second"}`;
    case "length":
      return `prefers ${isMore ? "long" : "short"} answers`;
    case "consistency":
      return "does not agree with itself";
    case "wrongs":
      return variant === "full-marks" ? "does what answers ask for" : `does not see ${wrongOf(variant).what}`;
    case "replies":
      return "does not reply";
    case "marks":
      return "gives every answer the same mark";
  }
}

/** The verdict on a judge, in one word and in a sentence. */
export interface JudgeVerdictOfCheck {
  state: "fit" | "alarm" | "inconclusive";
  /** `fit to use`, `alarm: prefers the answer shown first`, `not enough cases: order`. */
  verdict: string;
}

/** An alarm counts before what cannot be told, and that before all that is fine. */
export function checkVerdict(
  findings: readonly BiasFinding[],
  probes: readonly ProbeName[] = probeNames,
): JudgeVerdictOfCheck {
  const of = (state: BiasFinding["state"]): BiasFinding[] => findings.filter((finding) => finding.state === state);
  const alarms = Array.from(new Set(of("alarm").map(alarmWords)));
  if (alarms.length > 0) return { state: "alarm", verdict: `alarm: ${listed(alarms)}` };
  const unsure = of("inconclusive");
  if (unsure.some(({ probe }) => probe === "replies"))
    return { state: "inconclusive", verdict: "too few replies to tell" };
  if (unsure.length > 0) {
    const names = Array.from(new Set(unsure.map((finding) => findingWords(finding).title.toLowerCase())));
    return { state: "inconclusive", verdict: `not enough cases: ${listed(names)}` };
  }
  if (of("fine").length === 0) return { state: "inconclusive", verdict: "nothing could be tested" };
  const tried = probes.length < probeNames.length ? `, as far as it was tried: ${probes.join(", ")}` : "";
  return { state: "fit", verdict: `fit to use${tried}` };
}

const mostListed = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).join(", ");
  return names.length > mostListed ? `${shown} and ${names.length - mostListed} more` : shown;
}
