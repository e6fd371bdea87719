import { chosenOf, tiedOf } from "../../compare/choice/choice.ts";
import { silentTarget, stoppedAnsweringWords } from "../../report/say/validity.ts";
import type { Night, NightDifference, NightTarget } from "../../report/shape/history.ts";
import type { PastBatch, ShownInterval } from "../../report/shape/model.ts";
import { besideVerdict, editedWords } from "../../report/say/nights.ts";
import { type KnownNight, notConfirmed } from "./known-nights.ts";
import type { KeptNight } from "./saved-night.ts";
import { isBroken, type NightIssues, issuesOf, unfinishedIssue, unknownNight } from "./issues.ts";

/** A batch as a line of the history; what is wrong in it stands in the light of the nights before. */
export function nightRow(
  { facts, state, reason, kept, isBeforeEdits }: KnownNight,
  {
    moment,
    folder,
    ...given
  }: { moment: Pick<Night, "day" | "time"> } & Pick<Night, "changes" | "provider" | "otherCases"> & { folder: string },
): Night {
  const unconfirmed = notConfirmed(kept);
  const unfinished = unconfirmed === null ? (reason ?? null) : `not confirmed: ${unconfirmed}`;
  const isWhole = state === "finished" || (kept !== null && isBroken(kept));
  const own = kept?.targets.filter(({ target }) => facts.targets.has(target)) ?? [];
  return {
    batch: facts.name,
    at: facts.createdAt,
    ...moment,
    ...given,
    state,
    verdict: kept?.verdict ?? null,
    word: kept?.word ?? null,
    beside: kept === null ? [] : claimsBeside(kept),
    ...(isBeforeEdits && { edited: editedWords(facts.name, folder) }),
    ...(isWhole ? whyInvalid(kept) : { why: unfinished, quotesError: false }),
    against: facts.against,
    targets: own.map(targetOf),
    // An invalid night measures none.
    differences:
      kept === null || kept.verdict === "invalid"
        ? []
        : kept.candidates.flatMap((candidate) => differenceOf(candidate, kept.gates)),
    chosen: kept === null ? [] : chosenIn(kept),
    spared: kept?.stopping?.spared ?? 0,
    troubles: [],
    error: mostFrequentError(own),
    noticed: [],
    scores: Object.fromEntries(kept?.targets.map((target) => [target.target, scoresOf(target)]) ?? []),
  };
}

/** The configurations of which any may be taken by the choice of a night; empty: none is known, or nothing is chosen. */
export function chosenIn({ choice }: KeptNight): string[] {
  if (choice === undefined) return [];
  const chosen = chosenOf(choice) ?? choice.race?.end?.target ?? null;
  return chosen === null ? (tiedOf(choice) ?? []) : [chosen];
}

/** Candidates of which more is known than the word at the top says: those that are better, and those that are surely worse. */
export function claimsBeside({ word, verdict, verdicts, candidates }: KeptNight): string[] {
  if (verdict === "invalid") return [];
  return verdicts.flatMap(({ candidate, word: own, claim }) => {
    // The word at the top is that of an only candidate; a pass may be worse within the limit all the same.
    if ((claim !== "better" && claim !== "worse") || (own === word && own !== "pass")) return [];
    const [first] = candidates.find((each) => each.candidate === candidate)?.metrics ?? [];
    const difference = first?.comparison?.estimate ?? null;
    return [besideVerdict({ candidate, claim, difference, of: first?.of ?? "value" })];
  });
}

/** The reason why a night is invalid, in the words of its report; none where it is not. */
function whyInvalid(kept: KeptNight | null): Pick<Night, "why" | "quotesError"> {
  if (kept === null) return { why: null, quotesError: false };
  const silent = silentTarget(kept.targets, kept.decision.maxErrorShare);
  if (silent !== undefined) return { why: `${stoppedAnsweringWords(silent)}.`, quotesError: false };
  return { why: kept.told.invalid, quotesError: kept.told.quotesError };
}

/** The troubles of a night, by what it says itself. */
export function ownIssues({ state, kept }: Pick<KnownNight, "state" | "kept">): NightIssues {
  return kept === null ? unknownNight(isGoingOn(state) ? [] : [unfinishedIssue]) : issuesOf(state, kept);
}

/** One that goes on is not wrong yet. */
export function isGoingOn(state: string): boolean {
  return state === "reading" || state === "planned" || state === "running" || state === "grading";
}

function mostFrequentError(targets: KeptNight["targets"]): Night["error"] {
  const first = targets.flatMap(({ target, errorGroups }) => {
    const [most] = errorGroups;
    return most === undefined ? [] : [{ target, outcome: most.outcome, message: most.message, runs: most.jobs }];
  });
  return first.toSorted((one, other) => other.runs - one.runs)[0] ?? null;
}

function targetOf({
  target,
  scores,
  runsTried,
  runsWithoutAnswer,
  latency,
  cost,
}: KeptNight["targets"][number]): NightTarget {
  const [score] = scores;
  return {
    target,
    metric: score?.metric ?? null,
    value: score?.mean ?? null,
    interval: shown(score?.interval ?? null),
    cases: score?.cases ?? 0,
    failed: runsWithoutAnswer,
    runs: runsTried,
    latencyMs: latency?.median ?? null,
    cost,
  };
}

/** The first metric decides: with the bounds of its gate, or the interval of the difference where it has none. */
function differenceOf(
  { candidate, baseline, metrics, flips }: KeptNight["candidates"][number],
  gates: KeptNight["gates"],
): NightDifference[] {
  const [first] = metrics;
  if (first === undefined) return [];
  const { metric, comparison } = first;
  const gate = gates.find((each) => each.metric === metric && each.candidate === candidate && each.slice === null);
  const interval = boundsOf(gate) ?? shown(comparison?.interval ?? null);
  const flipped = flips.metric === null ? [] : flips.lists;
  const newlyFailing = flipped.find(({ kind }) => kind === "pass-to-fail")?.cases ?? null;
  const estimate = comparison?.estimate ?? null;
  return [{ candidate, baseline, metric, difference: estimate, interval, margin: gate?.margin ?? null, newlyFailing }];
}

/** The bounds as the report of the night shows them: a sure loss by the bound of its own level. */
function boundsOf(gate: KeptNight["gates"][number] | undefined): ShownInterval | null {
  const { lower = null, upper: usual = null } = gate?.decided ?? {};
  const upper = gate?.sureLoss?.upper ?? usual;
  return lower === null || upper === null ? null : { lower, upper };
}

/** A metric that is compared in two ways has its name in the first, and the second behind it in the other: `seconds (value)`. */
function scoresOf({ scores }: KeptNight["targets"][number]): PastBatch["scores"][string] {
  const named = scores.map(({ metric, of, mean, interval }, place) => {
    const isSecond = scores.findIndex((each) => each.metric === metric) !== place;
    return [isSecond ? `${metric} (${of})` : metric, { value: mean, interval: shown(interval) }] as const;
  });
  return Object.fromEntries(named);
}

function shown(interval: { low: number; high: number } | null): ShownInterval | null {
  return interval === null ? null : { lower: interval.low, upper: interval.high };
}
