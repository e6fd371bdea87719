import { basename } from "node:path";
import { notPlanned } from "../../compare/cases/side-outcome.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";
import type { NextStep, Step, StepRows } from "../../report/shape/next-step.ts";
import type { Suite } from "../../suite/suite.ts";
import { isMargin } from "../../compare/comparison-plan.ts";
import { chosenOf, tiedOf } from "../../compare/choice/choice.ts";
import type { Comparison } from "../../compare/comparison.ts";
import { gateKinds } from "../../suite/gate-settings.ts";
import { gateKindOf } from "../../compare/verdict/kinds.ts";
import { isUnchecked, overallFigures } from "../../compare/summary/metric-summary.ts";
import { errorShare, isFailedForGood } from "../../compare/summary/validity.ts";
import { folderWords } from "../../lib/paths/results-folder.ts";
import { countedRows, rowsInAll } from "../../report/say/rows-to-add.ts";
import { roughly } from "../../report/say/quantity.ts";
import { atWorkers } from "../../store/at-workers.ts";
import { lineOfScorer, suiteFilesNamed, suitePathOf } from "../../suite/suite-path.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type InDoubtJobs, inDoubtJobs } from "../../store/journal/in-doubt.ts";
import { missingParts, type MissingParts } from "../../store/merge/merged-parts.ts";
import { codeOfGates } from "../compare/code-of-gates.ts";
import type { ProposedScorer } from "./proposed-scorer.ts";

/** Makes the words of the command that runs the same once more, with other values of these flags where they are given. */
export type Rerun = (changed: ChangedFlags) => string[];

/** Flags with other values; `secondLook`: it is told as the second look at the same comparison. */
export interface ChangedFlags {
  repeats?: number;
  sample?: number;
  secondLook?: true;
}

interface Concluded {
  batch: Batch;
  comparison: Comparison;
  inDoubt: InDoubtJobs;
  proposal: ProposedScorer | null;
  /** Something was stopped for a reason that a person can mend. */
  isAdvised: boolean;
  /** The results folder. */
  out: string;
  rerun?: Rerun | undefined;
  /** Words of flags that a resume needs beside the batch's name. */
  resumeFlags: readonly string[];
  /** Parts that it lacks although it was put together of parts. */
  missing: MissingParts | null;
}

/** The flags by which a stored batch is resumed where workers may be sending it. */
export const flagsToResume = (db: Connection, { id }: Batch): string[] =>
  atWorkers(db, id)?.rests === false ? ["--workers"] : [];

/** The step after a batch as it is stored: what was typed to run it, and what stopped it, are not known any more. */
export function storedStep(
  db: Connection,
  given: Pick<Concluded, "batch" | "comparison" | "proposal" | "out">,
): NextStep {
  const { batch } = given;
  const inDoubt = inDoubtJobs(db, batch.id, 10);
  const resumeFlags = flagsToResume(db, batch);
  const missing = missingParts(db, batch);
  return concludingStep({ ...given, inDoubt, isAdvised: false, resumeFlags, missing });
}

/**
 * The step that brings a person further: finish what is not finished, mend what makes the data incomplete, get the cases
 * that decide, or look at the rows.
 */
export function concludingStep(given: Concluded): NextStep {
  const { batch, comparison, inDoubt, proposal, resumeFlags } = given;
  const name = [batch.name, ...folderWords(given.out)];
  const view = (step: Step): NextStep => viewStep(given, step);
  const lookAt = (rows: StepRows): NextStep =>
    view({ kind: "look", rows, count: rows === "worse" ? rowsThatGotWorse(comparison) : null });
  if (batch.state !== "finished") {
    const resume = { kind: "resume" as const, mend: given.isAdvised, rest: isRestLeft(comparison) };
    if (resume.rest) return resumeStep(given, { step: resume, flags: [...resumeFlags, "--rest"] });
    return againStep(given) ?? resumeStep(given, { step: resume, flags: resumeFlags });
  }
  if (inDoubt.held > 0) {
    const command = ["tandem", "resume", ...name, ...resumeFlags, "--on-in-doubt", "resend"];
    return { step: { kind: "send-in-doubt" }, commands: [command] };
  }
  switch (comparison.verdict) {
    case "invalid":
      return mendingStep(given, name) ?? lookAt("all");
    case "inconclusive":
      if (comparison.word === "worse")
        return placeStep(comparison, view) ?? worstPlaceStep(comparison, view) ?? lookAt(worseRows(comparison));
      if (comparison.word === "cannot-tell")
        return (
          gapStep(given, name) ??
          rangeStep(given, name) ??
          deadStep(comparison, view) ??
          worstPlaceStep(comparison, view) ??
          lookAt(isHopeless(comparison) ? changedRows(comparison) : answersToRead(comparison))
        );
      return (
        deadStep(comparison, view) ??
        worstPlaceStep(comparison, view) ??
        decidingStep(given, name) ??
        lookAt(changedRows(comparison))
      );
    case "regression":
      return lostGapStep(given, name) ?? lookAt(badRows(comparison));
    case "pass":
      return (
        deadStep(comparison, view) ??
        worstPlaceStep(comparison, view) ??
        judgeStep(given, name) ??
        view(doneStep(comparison))
      );
    case null:
      if (proposal !== null && proposal.commands !== null)
        return { step: { kind: "grade", by: "scorer", metric: null }, commands: proposal.commands };
      return comparison.candidates.some(({ metrics: [first] }) => (first?.worse ?? 0) > 0)
        ? lookAt("worse")
        : lookAt("answers");
  }
}

/** A step that is taken among the rows. */
const viewStep = ({ out }: Pick<Concluded, "out">, step: Step): NextStep => ({
  step,
  commands: [["tandem", "view", ...folderWords(out)]],
});

/** The rows of a value of a tag that lost everything: they say more than any number of others would. */
function deadStep({ lostTags: [first, ...others] }: Comparison, view: (step: Step) => NextStep): NextStep | null {
  if (first === undefined) return null;
  const { candidate: target, tag, value, lost: count } = first;
  const place = { tag, value, and: null };
  return view({ kind: "look-at-place", target, place, more: others.length, count, fails: true, isTold: false });
}

/** No number of other rows would settle it. */
const isHopeless = ({ gates }: Comparison): boolean => gates.some(({ guard }) => guard === "hopeless");

/** Rows that got worse by the gate or the metric that the verdict is about: of the candidate that lost most; null: not known. */
function rowsThatGotWorse({ candidates, gates, verdicts, word }: Comparison): number | null {
  const own = new Set(verdicts.flatMap((each) => (each.word === word ? [each.candidate] : [])));
  const counts = gates.flatMap((gate) => {
    if (!own.has(gate.candidate) || gate.word !== word) return [];
    const evidence = isMargin(gate) ? null : gate.decided;
    if (evidence !== null) return "lost" in evidence ? evidence.lost : [];
    const { metrics = [] } = candidates.find(({ candidate }) => candidate === gate.candidate) ?? {};
    const summary = metrics.find(({ metric, of }) => metric === gate.metric && of === gate.of);
    return gate.figures?.worse ?? summary?.worse ?? [];
  });
  return counts.length === 0 ? null : Math.max(...counts);
}

/** The rows of the place that alone makes a candidate worse; null: gates do. */
function placeStep({ verdicts, gates, candidates }: Comparison, view: (step: Step) => NextStep): NextStep | null {
  const found = verdicts.find((each) => each.byPlace !== undefined);
  if (found?.byPlace === undefined || gates.some(({ word }) => word === "worse")) return null;
  const { tag, value, and, worse: count, place: metric } = found.byPlace;
  const fails = candidates.some(({ metrics }) => metrics[metric]?.of === "pass");
  const place = { tag, value, and };
  return view({ kind: "look-at-place", target: found.candidate, place, more: 0, count, fails, isTold: true });
}

/** The place where the candidate is surely worst that the word is said of; null: there is none, people's labels decide, or one of many is chosen. */
function worstPlaceStep(comparison: Comparison, view: (step: Step) => NextStep): NextStep | null {
  const { verdicts, candidates, word, choice } = comparison;
  const told = new Set(verdicts.flatMap((each) => (each.word === word ? [each.candidate] : [])));
  const own = candidates.find(({ candidate, places }) => told.has(candidate) && places.length > 0);
  const [first, ...others] = own?.places ?? [];
  if (own === undefined || first === undefined || choice !== undefined) return null;
  if (worseRows(comparison) !== gateKinds.margin.badRows) return null;
  const { tag, value, and, worse: count, of, metric } = first;
  const more = others.filter((each) => each.metric === metric && each.of === of).length;
  const place = { tag, value, and };
  return view({
    kind: "look-at-place",
    target: own.candidate,
    place,
    more,
    count,
    fails: of === "pass",
    isTold: false,
  });
}

/** Rows by which people check a judge. */
const rowsToLabel = 50;

/** The check of the judge that a verdict rests on; null: it rests on none, people have checked it, or one of many is chosen. */
function judgeStep({ comparison: { candidates, choice } }: Concluded, name: readonly string[]): NextStep | null {
  const found = candidates.flatMap(({ candidate, metrics, compared }) =>
    metrics.flatMap((each) => (each.gated && isUnchecked(each) ? [{ candidate, metric: each.metric, compared }] : [])),
  );
  const [first] = found;
  if (first === undefined || choice !== undefined) return null;
  const { candidate, metric } = first;
  const count = Math.min(first.compared, rowsToLabel);
  const whose = candidates.length === 1 ? [] : ["--candidate", candidate];
  const command = ["tandem", "label", "draw", ...name, ...whose, "--labels", String(count), "-o", "labels.csv"];
  return { step: { kind: "check-judge", metric, count }, commands: [command] };
}

/** Nothing is left to do but to take the one that was chosen. */
function doneStep(comparison: Comparison): Step {
  const { choice } = comparison;
  const taken = choice === undefined ? null : takenOf(choice);
  return { kind: "done", ...(taken ?? { take: null, cheaper: null }), rows: changedRows(comparison) };
}

/** The target that was chosen: of those that gave the same answers, and of tied ones, the cheapest. */
function takenOf(choice: NonNullable<Comparison["choice"]>): Pick<DoneStep, "take" | "cheaper"> | null {
  const chosen = chosenOf(choice);
  const group = chosen === null ? tiedOf(choice) : (choice.alike.find((each) => each.includes(chosen)) ?? [chosen]);
  if (group === null) return null;
  const costOf = (name: string): number | null =>
    choice.configurations.find(({ target }) => target === name)?.cost?.mean ?? null;
  const priced = group.flatMap((name) => {
    const cost = costOf(name);
    return cost === null ? [] : [{ name, cost }];
  });
  const [least] = priced.toSorted((one, other) => one.cost - other.cost);
  const most = priced.toSorted((one, other) => other.cost - one.cost)[0];
  if (least === undefined || most === undefined || priced.length < group.length || most.cost <= least.cost)
    return chosen === null ? null : { take: chosen, cheaper: null };
  return { take: least.name, cheaper: { than: most.name, share: 1 - least.cost / most.cost } };
}

type DoneStep = Extract<Step, { kind: "done" }>;

/** The answers themselves where none changed: a reader who is sent to the changes would find none. */
function changedRows({ candidates, choice }: Comparison): StepRows {
  if (choice !== undefined && choice.disputed.length > 0) return "disputed";
  const isSame = candidates.every(
    ({ changes, metrics }) =>
      Object.entries(changes).every(([change, cases]) => change === "same" || cases === 0) &&
      metrics.every(({ worse, better }) => worse + better === 0),
  );
  return isSame ? "answers" : "changed";
}

const answersToRead = ({ targets }: Comparison): StepRows =>
  targets.some(({ expected }) => expected !== null) ? "expected" : "some-answers";

/** Grades again by the range that a score without ends lacks where nothing varied; null: that is not why it cannot be told. */
function rangeStep(given: Concluded, name: readonly string[]): NextStep | null {
  const { gates } = given.comparison;
  const still = gates.find((gate) => isMargin(gate) && gate.guard === "still");
  if (still === undefined) return null;
  const at = lineOfScorer(given.batch.suite, still.metric);
  const step = fileStep(given, {
    step: { kind: "grade", by: "range", metric: still.metric },
    words: (file) => ["score", ...name, "--suite", file],
  });
  return { ...step, ...(at !== null && { at }) };
}

/** The rows by which the first of its gates that finds a regression does. */
function badRows({ gates }: Comparison): StepRows {
  const gate = gates.find(({ state }) => state === "regression");
  if (gate !== undefined && "people" in gate && gate.people?.refused === null) return "bad-by-people";
  return gateKinds[gate?.kind ?? "margin"].badRows;
}

/** The rows by which the first metric that is surely worse is so. */
function worseRows({ candidates, worse: [first] }: Comparison): StepRows {
  const own = candidates.find(({ candidate }) => candidate === first?.candidate)?.metrics[first?.place ?? 0];
  return first?.slice === null && own?.people?.refused === null ? "bad-by-people" : gateKinds.margin.badRows;
}

/** It was decided, and is not finished: the rest was asked for, and is not all sent. */
function isRestLeft({ stopping }: Comparison): boolean {
  return stopping !== null && stopping.decidedAfter !== null && stopping.spared === 0 && stopping.isOpen;
}

/** Resumes it; a batch that stops when it is decided may need its suite file for that. */
function resumeStep(given: Concluded, { step, flags }: { step: Step; flags: readonly string[] }): NextStep {
  const { suite, name } = given.batch;
  const rest = [...folderWords(given.out), ...flags];
  const needsSuite = suite.decision.stopWhen !== undefined && codeOfGates(suite).length > 0;
  if (!needsSuite) return { step, commands: [["tandem", "resume", name, ...rest]] };
  return fileStep(given, { step, words: (file) => ["resume", "--suite", file, ...rest] });
}

/** A resume alone sends what is open: too many failures that are final are asked again with it. Null: it would help. */
function againStep(given: Concluded): NextStep | null {
  const { comparison, isAdvised: mend, inDoubt, resumeFlags } = given;
  const failing = comparison.targets.find((target) => isFailedForGood(target, comparison.decision.maxErrorShare));
  // A request in doubt may still bring its answer.
  if (failing === undefined || inDoubt.held > 0) return null;
  const { target, runsWithoutAnswer, unfinished } = failing;
  const step = { kind: "ask-failed" as const, target, failed: runsWithoutAnswer - unfinished, mend };
  return resumeStep(given, { step, flags: [...resumeFlags, "--failed"] });
}

/** Runs the same once more. */
function runStep(given: Concluded, step: Step, changed: ChangedFlags = {}): NextStep {
  const { rerun, out } = given;
  if (rerun !== undefined) return { step, commands: [rerun(changed)] };
  return fileStep(given, { step, words: (file) => ["run", file, ...flagWords(changed), ...folderWords(out)] });
}

/** A step that takes the suite file; where that is not found any more, the command shows what was run. */
function fileStep(
  { batch: { suite, name }, out }: Concluded,
  { step, words }: { step: Step; words: (file: string) => string[] },
): NextStep {
  const file = suitePathOf(suite);
  if (file !== null) return { step, commands: [["tandem", ...words(file)]] };
  const command = ["tandem", "batches", "show", name, ...folderWords(out)];
  const alike = suiteFilesNamed(suite).map((path) => basename(path));
  return { step, commands: [command], lost: { folder: suite.folder, ...(alike.length > 0 && { alike }) } };
}

/** The words of a command line that say so. */
export function flagWords({ secondLook, ...values }: ChangedFlags): string[] {
  return [
    ...Object.entries(values).flatMap(([flag, value]) => [`--${flag}`, String(value)]),
    ...(secondLook === true ? ["--second-look"] : []),
  ];
}

/** The first cause of an invalid comparison that a person can mend. */
function mendingStep(given: Concluded, name: readonly string[]): NextStep | null {
  const { targets, candidates, decision, validity, gates } = given.comparison;
  const { missing } = given;
  if (validity?.state === "invalid" && validity.byJudge !== undefined && validity.byJudge.length > 0) {
    const folder = folderWords(given.out);
    const commands = validity.byJudge.map((batch) => ["tandem", "score", batch, ...folder]);
    return { step: { kind: "grade", by: "judge", metric: null }, commands };
  }
  if (missing !== null && !missing.isAllowed) {
    const step = { kind: "merge" as const, parts: [...missing.parts], of: missing.of };
    return { step, commands: [["tandem", "help", "merge"]] };
  }
  const failing = targets.find((target) => (errorShare(target) ?? 0) > decision.maxErrorShare);
  if (failing !== undefined) return askedAgain(given, failing, null);
  const [other] = decision.notCompared.flatMap((why) =>
    why.kind === "other-scores" && why.exportedAs === null && gates.some(({ metric }) => metric === why.metric)
      ? [why]
      : [],
  );
  if (other !== undefined) {
    return fileStep(given, {
      step: { kind: "grade", by: "same-scorer", metric: other.metric },
      words: (file) => ["score", other.batch, "--suite", file, ...folderWords(given.out)],
    });
  }
  const ungraded = ungradedStep(given.comparison, name);
  if (ungraded !== null) return ungraded;
  const regraded = candidates.some(({ expectedDiffers, pairing }) => expectedDiffers / pairing.paired > 0);
  if (regraded) {
    return fileStep(given, {
      step: { kind: "grade", by: "expected", metric: null },
      words: (file) => ["score", ...name, "--suite", file],
    });
  }
  const isOther = candidates.some(
    ({ pairing: { paired, inputDiffers, onlyBaseline } }) =>
      paired === 0 || inputDiffers.cases > 0 || onlyBaseline.cases > 0,
  );
  return isOther ? runStep(given, { kind: "same-sheet" }) : null;
}

/** Explains an answer that has no grade of a metric which something is decided by; null: all have one. */
function ungradedStep({ targets, candidates }: Comparison, name: readonly string[]): NextStep | null {
  const ungraded = [...targets].flatMap(({ ungraded: groups }) => groups.filter(({ applies }) => applies));
  const [group] = ungraded.toSorted((a, b) => b.jobs - a.jobs);
  const isUngraded = candidates.some(({ metrics }) =>
    metrics.some(({ gated, unscored }) => gated && unscored.baseline + unscored.candidate > 0),
  );
  if (!isUngraded || group === undefined) return null;
  const command = ["tandem", "score", ...name, "--explain", group.example];
  return { step: { kind: "explain", metric: group.metric }, commands: [command] };
}

/** The way to the answers and grades that are missing where these decide; null: none is, or something else does. */
function gapStep(given: Concluded, name: readonly string[]): NextStep | null {
  const { candidates } = given.comparison;
  const gapped = candidates.find(({ metrics }) =>
    metrics.some(({ gated, gaps }) => gated && gaps !== null && gaps.candidate > gaps.baseline),
  );
  return gapped === undefined
    ? null
    : (ungradedStep(given.comparison, name) ?? unansweredStep(given, gapped.candidate));
}

/** The same where nothing but rows without an answer or a grade makes more of them newly fail than may; null: others do. */
function lostGapStep(given: Concluded, name: readonly string[]): NextStep | null {
  const lost = given.comparison.gates.filter(({ state }) => state === "regression");
  const gaps = lost.flatMap((gate) => {
    const found = gateKindOf(gate).lostByGaps?.(gate) ?? null;
    return found === null ? [] : [{ candidate: gate.candidate, ...found }];
  });
  const [first] = gaps;
  if (first === undefined || gaps.length < lost.length) return null;
  return first.ungraded > first.unanswered
    ? ungradedStep(given.comparison, name)
    : unansweredStep(given, first.candidate);
}

/** The way to the answers of a target that are missing. */
function unansweredStep(given: Concluded, target: string): NextStep | null {
  const lacking = given.comparison.targets.find((each) => each.target === target);
  if (lacking === undefined || lacking.runsWithoutAnswer === 0) return null;
  return askedAgain(given, lacking, lacking.runsWithoutAnswer);
}

/** The way to answers that a target lacks: stored ones are filled in, what was sent is asked again in its batch. */
function askedAgain(given: Concluded, lacking: TargetSummary, runs: number | null): NextStep {
  const filling = fillingStep(given.batch.suite, lacking);
  if (filling !== null) return runStep(given, filling);
  const step = { kind: "find-out" as const, target: lacking.target, runs };
  return resumeStep(given, { step, flags: [...given.resumeFlags, "--failed"] });
}

/** Fills the stored answers that are missing; null for a target that is asked, and where none is missing. */
function fillingStep({ targets, datasets }: Suite, { target, errorGroups }: TargetSummary): Step | null {
  const column = targets.find(({ name }) => name === target)?.stored?.answer;
  const blank = errorGroups.find(({ outcome }) => outcome === notPlanned);
  if (column === undefined || blank === undefined) return null;
  const [file = ""] = datasets;
  return {
    kind: "fill",
    column,
    file: datasets.length === 1 && file !== "-" ? basename(file) : null,
    first: blank.rows.map((row) => ({ ...row, key: blank.example })),
    rows: blank.jobs,
  };
}

/** The run that brings an open gate further; null where the rows are what is left to go by. */
function decidingStep(given: Concluded, name: readonly string[]): NextStep | null {
  const { batch, comparison } = given;
  const gate = comparison.gates.find(({ state, tooFew }) => state === "inconclusive" && !tooFew);
  const settle = gate !== undefined && isMargin(gate) ? gate.settle : null;
  if (settle === null || settle.kind === "last" || settle.kind === "labels") return null;
  if (settle.kind === "gaps") return gapStep(given, name);
  const { repeatFirst, next } = settle;
  const of = countedBy(comparison, gate);
  const { cases, changed } = of;
  // Such a look is told as one, also where it asks the same rows again.
  const second = next?.by === "flag" ? { secondLook: true as const } : {};
  if (repeatFirst !== undefined && changed > 0)
    return runStep(given, { kind: "repeat", repeats: repeatFirst, rows: null }, { repeats: repeatFirst, ...second });
  const isPart = batch.selection !== null && (batch.selection.sample ?? batch.selection.limit) !== null;
  const all = rowsInAll(settle, of);
  if (all !== null && isPart) {
    // As many more are drawn as ask the same.
    const sample = of.questions === null ? all : roughly((all * cases) / countedRows(of));
    return runStep(given, { kind: "sample-more" }, { sample, ...second });
  }
  if ((settle.kind === "cases" || settle.kind === "too many") && settle.repeats !== null) {
    const { repeats } = settle;
    return runStep(given, { kind: "repeat", repeats, rows: cases }, { repeats, ...second });
  }
  const failing = newlyFailing(comparison, gate);
  if (failing !== null) return viewStep(given, { kind: "read", ...failing });
  // Advice that cannot be followed is none.
  if (all === null && settle.kind === "too many") return null;
  const [file] = batch.suite.datasets;
  const most = settle.next?.most ?? null;
  const step: Step = {
    kind: "add",
    rows: all === null ? null : all - countedRows(of),
    mustDiffer: of.questions !== null,
    file: file === undefined ? null : basename(file),
    most: most !== null && all !== null && all > most ? most : null,
    groups: all === null && settle.kind === "clusters" ? { least: settle.least, of: settle.of } : null,
    isSecond: next !== undefined,
  };
  return runStep(given, step, second);
}

/** Rows that newly fail where none newly passes and stored answers cannot be asked again: a few to read. */
function newlyFailing(
  { candidates, targets }: Comparison,
  gate: Comparison["gates"][number] | undefined,
): { target: string; count: number } | null {
  const own = candidates.find(({ candidate }) => candidate === gate?.candidate);
  if (own === undefined || own.flips.metric !== gate?.metric || gate.slice !== null) return null;
  const isStored = targets.every(({ attempts }) => attempts === 0);
  const count = (kind: string): number => own.flips.lists.find((each) => each.kind === kind)?.cases ?? 0;
  const lost = count("pass-to-fail");
  const isFew = isStored && lost > 0 && lost <= mostToRead && count("fail-to-pass") === 0;
  return isFew ? { target: own.candidate, count: lost } : null;
}

const mostToRead = 20;

/** The cases that a gate is about, and those that changed: as its advice in the report counts them. */
function countedBy({ candidates, cases }: Comparison, gate: Comparison["gates"][number] | undefined) {
  const own = candidates.find(({ candidate }) => candidate === gate?.candidate)?.metrics;
  const summary = own?.find(({ metric, of }) => metric === gate?.metric && of === gate.of);
  const figures = gate?.figures ?? (summary === undefined ? null : overallFigures(summary));
  const questions = gate?.slice === null ? (summary?.questions ?? null) : null;
  if (figures === null) return { cases, changed: 0, questions };
  return { cases: figures.cases, changed: figures.worse + figures.better, questions };
}
