import type { Comparison } from "../../compare/comparison.ts";
import { isMargin } from "../../compare/comparison-plan.ts";
import { isUnchecked, type MetricSummary } from "../../compare/summary/metric-summary.ts";
import type { FoundIn } from "../findings.ts";
import type { ReportChoice, ReportRace } from "../shape/choice.ts";
import type { LookFigures } from "../../compare/summary/confirmation.ts";
import type { ReportConfirmation, ReportGate, ReportMetric, ReportSummary } from "../shape/model.ts";
import { dependenceWords } from "./dependence.ts";
import { alwaysWords, peopleLines } from "./people.ts";
import { counted, number, price, priceUnit } from "./quantity.ts";
import { raceWords } from "./stopping.ts";
import { whereWords } from "./names.ts";

/** A scorer that would decide, and why it fits. */
export interface DecidingScorer {
  scorer: string;
  reason: string;
}

const note = (label: FoundIn["notes"][number]["label"], texts: readonly string[]): FoundIn["notes"] =>
  texts.length === 0 ? [] : [{ kind: "note", label, texts: [...texts] }];

/** Sentences of other parts of the program beside the findings, in the order in which they are read. */
export function findingNotes(
  { comparison, proposal = null }: { comparison: Comparison; proposal?: DecidingScorer | null },
  {
    gates,
    metrics,
    confirmation,
    ends,
    known,
  }: {
    gates: readonly ReportGate[];
    metrics: readonly ReportMetric[];
    confirmation: ReportSummary["confirmation"] | null;
    ends: readonly string[];
    known: readonly string[];
  },
): FoundIn["notes"] {
  if (comparison.verdict === "invalid") return [...note("race", ends), ...note("known", known)];
  if (comparison.candidates.length === 0)
    return [...note("graded", metrics.length === 0 ? ungradedLines(comparison) : []), ...note("race", ends)];
  const isAlone = comparison.candidates.length === 1;
  const groups = comparison.gates
    .filter(isMargin)
    .flatMap(({ dependence, candidate }) =>
      dependence === undefined ? [] : [`${isAlone ? "" : `${candidate}: `}${dependenceWords(dependence)}.`],
    );
  const once = lossesOnceAsked(
    gates.filter(({ word }) => word === "regression"),
    comparison,
  );
  const instead = gates
    .filter(({ word, byRows }) => word === "too-few-cases" && comparison.word === word && byRows === undefined)
    .slice(0, 1)
    .flatMap(({ otherAdvice, advice, margin, candidate, metric }) => {
      const isLast = comparison.gates.some(
        (gate) =>
          isMargin(gate) && gate.candidate === candidate && gate.metric === metric && gate.settle?.kind === "last",
      );
      // Nothing leads further: why is said.
      const told = otherAdvice ?? (margin === null || isLast ? advice : null);
      return told === null ? [] : [`${told}.`];
    });
  const ungraded =
    metrics.length > 0
      ? []
      : proposal === null
        ? ungradedLines(comparison)
        : [`One that fits: ${proposal.scorer}. ${proposal.reason}`];
  return [
    ...note("graded", ungraded),
    ...note("judge", judgeNotes(comparison, gates, metrics)),
    ...note("looks", confirmation === null || confirmation === undefined ? [] : confirmationEnds(confirmation)),
    ...note("groups", groups),
    ...note("race", ends),
    ...note("advice", [...(once === null ? [] : [once]), ...instead]),
    ...note("known", known),
  ];
}

/** The way to a grade for answers that nothing grades. */
function ungradedLines({ targets }: Comparison): string[] {
  if (targets.length === 0) return [];
  const type = targets.some(({ expected }) => expected !== null) ? "contains" : "not-empty";
  return [`no scorer grades the answers: \`tandem score --scorer ${type}\` does`];
}

/** The judges that something is decided by: what people say beside them, and that they were not checked. */
function judgeNotes(
  { candidates, choice }: Comparison,
  gates: readonly ReportGate[],
  metrics: readonly ReportMetric[],
): string[] {
  const isAlone = candidates.length === 1;
  const decides = ({ gated, metric }: MetricSummary): boolean => gated || metric === choice?.metric;
  const alikeOf = (each: MetricSummary | undefined): string[] => {
    const about = metrics.find(({ name }) => name === each?.metric);
    return each === undefined || about === undefined || !decides(each) ? [] : alwaysWords(each, about);
  };
  const labelled = gates.flatMap((gate) => {
    const about = metrics.find(({ name }) => name === gate.metric);
    if (gate.state === null || gate.slice !== null || about === undefined) return [];
    const own = candidates.find(({ candidate }) => candidate === gate.candidate)?.metrics;
    const alike = alikeOf(own?.find(({ metric, people }) => metric === gate.metric && people !== undefined));
    return peopleLines(gate, about, { isAlone, alike });
  });
  const withoutLabels = candidates.flatMap(({ metrics: own }) => own.filter(({ people }) => people === undefined));
  labelled.push(...new Set(withoutLabels.flatMap(alikeOf)));
  const unchecked = new Set(
    candidates.flatMap(({ metrics: own }) =>
      own.flatMap((each) => (decides(each) && isUnchecked(each) ? [`\`${each.metric}\``] : [])),
    ),
  );
  if (unchecked.size === 0) return labelled;
  const judges = unchecked.size === 1 ? "a judge that was" : "judges that were";
  return [...labelled, `Graded by ${[...unchecked].join(" and ")}, ${judges} not checked against people.`];
}

/** The advice for rows that newly fail where each was asked once: an answer that is wrong by chance counts there as a loss. */
function lossesOnceAsked(deciding: readonly ReportGate[], comparison: Comparison): string | null {
  // Stored answers cannot be asked again.
  const isAsked = (name: string): boolean =>
    comparison.targets.some(({ target, attempts }) => target === name && attempts > 0);
  const isOnce = deciding.some(
    (gate) =>
      gate.losses !== null &&
      gate.state === "regression" &&
      gate.losses.lost > (gate.losses.unanswered ?? 0) + (gate.losses.ungraded ?? 0) &&
      isAsked(gate.candidate) &&
      triesOf(gate, comparison) === 1,
  );
  return isOnce ? "Each row was asked once, and may fail by chance. Ask each three times: `--repeats 3`." : null;
}

/** Tries of each row by the target of a pair that was asked most often. */
function triesOf({ candidate }: ReportGate, { candidates, targets, cases }: Comparison): number {
  const baseline = candidates.find((each) => each.candidate === candidate)?.baseline;
  const own = targets.filter(({ target }) => target === baseline || target === candidate);
  return Math.max(1, ...own.map(({ jobs }) => Math.round(jobs / Math.max(1, cases))));
}

/**
 * The sentences on a run that could stop when it was decided: after how many cases, what was spared in requests and money,
 * and which gates stayed open. Empty for any other run.
 */
export function stoppingWords(
  { stopping, gates, verdict, candidates, targets }: Comparison,
  batch: string,
  suitePath?: string,
): string[] {
  if (stopping === null) return [];
  const { cases, decidedAfter, spared, saved, isOpen, needsSuite } = stopping;
  const rest = restWords({ needsSuite, batch, suitePath });
  const money = saved === null ? "" : ` (about ${price(saved)} saved, ${priceUnit}${unpricedWords(targets)})`;
  const unsent = `${counted(spared, "request")} ${spared === 1 ? "was" : "were"} not sent`;
  const sends = `${rest} sends ${spared === 1 ? "it" : "them"}.`;
  if (decidedAfter === null) {
    if (spared > 0) {
      const now = `By the grades of now nothing is decided without ${spared === 1 ? "it" : "them"}`;
      return [`${unsent} when it was decided${money}. ${now}: ${sends}`];
    }
    return isOpen ? [] : [`Nothing was decided before the end: ${counted(cases, "row")} were sent.`];
  }
  const reached = `after ${number(decidedAfter)} of ${counted(cases, "row")}`;
  // Too many missing answers are no decision.
  const decided = `${verdict === "invalid" && spared > 0 && !isOpen ? "Stopped" : "Decided"} ${reached}`;
  if (spared === 0 && isOpen) {
    return [`${decided}; the rest is not all sent. ${rest} sends it; without --rest it is left out.`];
  }
  if (decidedAfter === cases) return [`Decided with the last of ${counted(cases, "row")}.`];
  if (spared === 0) return [`${decided}; the rest was sent too.`];
  const open = gates.filter(({ state }) => state === "inconclusive");
  const names = open.map(({ candidate, metric, slice }) => {
    const about = `${metric}${whereWords(slice)}`;
    return candidates.length > 1 ? `${candidate}: ${about}` : about;
  });
  return [
    `${decided}: ${unsent}${money}. ${sends}`,
    ...(names.length === 0
      ? []
      : [`Open when it stopped: ${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? " ..." : ""}.`]),
  ];
}

/** The command that sends what was not sent; where its suite file is needed and not found any more, what does in words. */
function restWords(given: { needsSuite: boolean; batch: string; suitePath: string | undefined }): string {
  const { needsSuite, batch, suitePath } = given;
  if (!needsSuite) return `\`tandem resume ${batch} --rest\``;
  return suitePath === undefined
    ? "`tandem resume --rest --suite` with its suite file"
    : `\`tandem resume --rest --suite ${suitePath}\``;
}

/** The sentences on a race: how it ended and what was not sent, and how it goes on. */
export function raceDetails(
  choice: ReportChoice,
  race: ReportRace,
  {
    comparison: { stopping, targets },
    batch,
    suitePath,
  }: { comparison: Comparison; batch: string; suitePath?: string | undefined },
): string[] {
  const rest = restWords({ needsSuite: stopping?.needsSuite === true, batch, suitePath });
  return raceWords(choice, race, { rest, isOpen: stopping?.isOpen === true, unpriced: unpricedWords(targets) });
}

/** The targets whose price of what was spared is not known: the sum lacks theirs. */
function unpricedWords(targets: Comparison["targets"]): string {
  const names = targets.flatMap(({ target, spared, saved }) => (spared > 0 && saved === null ? [target] : []));
  return names.length === 0 ? "" : `, without ${names.join(", ")}, whose price is not known`;
}

const mostNames = 5;

/** Tells what came of asking the rows of a regression once more; empty where there is nothing to add. */
function confirmationEnds({ unfinished, gates }: ReportConfirmation): string[] {
  if (unfinished !== null) return [`not confirmed: ${unfinished}`];
  if (gates.length === 0) return [];
  const takenBack = gates.filter(({ state }) => state !== "regression");
  if (takenBack.length > 0) {
    const names = [...new Set(takenBack.map(({ name }) => name))].join(", ");
    return [`at first ${names} was worse; asked once more it is not`];
  }
  const isSo = gates.every(({ second }) => second !== null && isWorse(second));
  return [
    isSo
      ? "the regression was asked once more, and is confirmed"
      : "asked once more it was not worse, but both times together are",
  ];
}

const isWorse = ({ worse, better }: LookFigures): boolean => worse > better;
