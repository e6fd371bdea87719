import { basename } from "node:path";
import { notPlanned } from "../../compare/cases/side-outcome.ts";
import type { TargetSummary } from "../../compare/tallies/target-tally.ts";
import { rowsWords, segmentWords, tagName } from "../../report/say/names.ts";
import type { NextStep, StepRows } from "../../report/shape/next-step.ts";
import { stepRows } from "../../report/say/next.ts";
import type { Suite } from "../../suite/suite.ts";
import { isMargin } from "../../compare/comparison-plan.ts";
import { chosenOf } from "../../compare/choice/choice.ts";
import type { Comparison } from "../../compare/comparison.ts";
import { gateKinds } from "../../suite/gate-settings.ts";
import { gateKindOf } from "../../compare/verdict/kinds.ts";
import { overallFigures } from "../../compare/summary/metric-summary.ts";
import { errorShare, isFailedForGood } from "../../compare/summary/validity.ts";
import { folderFlag } from "../../lib/paths/results-folder.ts";
import { addRowsWords, countedRows, rowsInAll } from "../../report/say/rows-to-add.ts";
import { counted, number, roughly, wholeShare } from "../../report/say/quantity.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { atWorkers } from "../../store/at-workers.ts";
import { lineOfScorer, suitePathOf, typedSuite } from "../../suite/suite-path.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type InDoubtJobs, inDoubtJobs } from "../../store/journal/in-doubt.ts";
import { missingParts, type MissingParts } from "../../store/merge/merged-parts.ts";
import { shardWords } from "../compare/missing-parts.ts";
import { codeOfGates } from "../compare/code-of-gates.ts";
import type { ProposedScorer } from "./proposed-scorer.ts";

/** Makes the command that runs the same once more, with other values of these flags where they are given. */
export type Rerun = (changed: ChangedFlags) => string;

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
  rerun: Rerun | undefined;
  /** Flags that a resume needs beside the batch's name; empty: none. */
  resumeFlags: string;
  /** Parts that it lacks although it was put together of parts. */
  missing: MissingParts | null;
}

/** The flags by which a stored batch is resumed where workers may be sending it. */
export const flagsToResume = (db: Connection, { id }: Batch): string =>
  atWorkers(db, id)?.rests === false ? " --workers" : "";

/** The step after a batch as it is stored: what was typed to run it, and what stopped it, are not known any more. */
export function storedStep(
  db: Connection,
  given: Pick<Concluded, "batch" | "comparison" | "proposal" | "out">,
): NextStep {
  const { batch } = given;
  const inDoubt = inDoubtJobs(db, batch.id, 10);
  const resumeFlags = flagsToResume(db, batch);
  const missing = missingParts(db, batch);
  return concludingStep({ ...given, inDoubt, isAdvised: false, rerun: undefined, resumeFlags, missing });
}

/**
 * The step that brings a person further: finish what is not finished, mend what makes the data incomplete, get the cases
 * that decide, or look at the rows.
 */
export function concludingStep(given: Concluded): NextStep {
  const { batch, comparison, inDoubt, proposal, out, resumeFlags } = given;
  const folder = folderFlag(out);
  const name = `${shellWord(batch.name)}${folder}`;
  const goOn = (why: string, flags = ""): NextStep => resumeStep(given, { why, flags: `${resumeFlags}${flags}` });
  const view = `tandem view${folder}`;
  const lookAt = (rows: StepRows): NextStep => {
    const count = rows === "worse" ? rowsThatGotWorse(comparison) : null;
    return { why: `look at ${stepRows[rows]}`, command: view, rows, ...(count !== null && { count }) };
  };
  if (batch.state !== "finished") {
    if (isRestLeft(comparison)) {
      return goOn("send the rest too (without --rest it is left out)", " --rest");
    }
    const again = againStep(given);
    if (again !== null) return again;
    return goOn(given.isAdvised ? "mend what stopped it, then resume" : "resume what is not finished");
  }
  if (inDoubt.held > 0) {
    return { why: "send again what is in doubt", command: `tandem resume ${name}${resumeFlags} --on-in-doubt resend` };
  }
  switch (comparison.verdict) {
    case "invalid":
      return mendingStep(given, name) ?? { why: "look at the rows", command: view };
    case "inconclusive":
      if (comparison.word === "worse") return placeStep(comparison, view) ?? lookAt(worseRows(comparison));
      if (comparison.word === "cannot-tell")
        return (
          gapStep(given, name) ??
          rangeStep(given, name) ??
          deadStep(comparison, view) ??
          hopelessStep(comparison, lookAt) ?? { why: answersToRead(comparison), command: view }
        );
      return deadStep(comparison, view) ?? decidingStep(given) ?? lookAt(changedRows(comparison));
    case "regression":
      return lostGapStep(given, name) ?? lookAt(badRows(comparison));
    case "pass":
      return deadStep(comparison, view) ?? doneStep(comparison, view);
    case null:
      if (proposal !== null && proposal.command !== null)
        return { why: "grade the answers", command: proposal.command };
      return { why: "look at the answers", command: view };
  }
}

/** The rows of a value of a tag that lost everything: they say more than any number of others would. */
const deadStep = ({ lostTags }: Comparison, command: string): NextStep | null =>
  lostTags[0] === undefined ? null : { why: lostRows(lostTags), command };

/** The rows that changed, where no number of others would settle it; null: that is not why it cannot be told. */
const hopelessStep = (comparison: Comparison, lookAt: (rows: StepRows) => NextStep): NextStep | null =>
  comparison.gates.some(({ guard }) => guard === "hopeless") ? lookAt(changedRows(comparison)) : null;

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
function placeStep({ verdicts, gates }: Comparison, command: string): NextStep | null {
  const byPlace = verdicts.find((each) => each.byPlace !== undefined)?.byPlace;
  if (byPlace === undefined || gates.some(({ word }) => word === "worse")) return null;
  const turned = byPlace.worse === byPlace.cases ? ", which all newly fail" : "";
  return { why: `look at the rows with ${segmentWords(byPlace)}${turned}`, command, count: byPlace.worse };
}

/** `look at the rows with kind = t0`: values of tags that lost everything, whatever the verdict. */
function lostRows([first, ...others]: Comparison["lostTags"]): string {
  const more = others.length === 0 ? "" : ` and of ${counted(others.length, "more value", "more values")}`;
  return `look at the rows with ${tagName(first?.tag ?? "")} = ${first?.value ?? ""}${more}, which all newly fail`;
}

/** Nothing is left to do but to take the one that was chosen. */
function doneStep(comparison: Comparison, command: string): NextStep {
  const { choice } = comparison;
  const chosen = choice === undefined ? null : takenOf(choice);
  const done = chosen ?? "nothing has to be done";
  const rows = changedRows(comparison);
  const why = chosen === null ? `${done}; to look at ${stepRows[rows]}` : done;
  return { why, command, rows, done };
}

/** `take lean, which costs 60 % less than careful`: of those that gave the same answers the cheapest; null: none is chosen. */
function takenOf(choice: NonNullable<Comparison["choice"]>): string | null {
  const chosen = chosenOf(choice);
  if (chosen === null) return null;
  const costOf = (name: string): number | null =>
    choice.configurations.find(({ target }) => target === name)?.cost?.mean ?? null;
  const group = choice.alike.find((each) => each.includes(chosen)) ?? [chosen];
  const priced = group.flatMap((name) => {
    const cost = costOf(name);
    return cost === null ? [] : [{ name, cost }];
  });
  const [least] = priced.toSorted((one, other) => one.cost - other.cost);
  const most = priced.toSorted((one, other) => other.cost - one.cost)[0];
  if (least === undefined || most === undefined || priced.length < group.length || most.cost <= least.cost)
    return `take ${chosen}`;
  return `take ${least.name}, which costs ${wholeShare(1 - least.cost / most.cost)} less than ${most.name}`;
}

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

const answersToRead = ({ targets }: Comparison): string =>
  targets.some(({ expected }) => expected !== null)
    ? "compare some answers with the expected ones"
    : "look at some answers";

/** Grades again by the range that a score without ends lacks where nothing varied; null: that is not why it cannot be told. */
function rangeStep(given: Concluded, name: string): NextStep | null {
  const { gates } = given.comparison;
  const still = gates.find((gate) => isMargin(gate) && gate.guard === "still");
  if (still === undefined) return null;
  const why = `give the scorer of \`${still.metric}\` a \`range: [min, max]\`, then grade the answers again`;
  const at = lineOfScorer(given.batch.suite, still.metric);
  const step = fileStep(given, { why, command: (file) => `tandem score ${name} --suite ${file}` });
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
function resumeStep(given: Concluded, { why, flags }: { why: string; flags: string }): NextStep {
  const { suite, name } = given.batch;
  const folder = folderFlag(given.out);
  const needsSuite = suite.decision.stopWhen !== undefined && codeOfGates(suite).length > 0;
  if (!needsSuite) return { why, command: `tandem resume ${shellWord(name)}${folder}${flags}` };
  return fileStep(given, { why, command: (file) => `tandem resume --suite ${file}${folder}${flags}` });
}

/** A resume alone sends what is open: too many failures that are final are asked again with it. Null: it would help. */
function againStep(given: Concluded): NextStep | null {
  const { comparison, isAdvised, inDoubt } = given;
  const failing = comparison.targets.find((target) => isFailedForGood(target, comparison.decision.maxErrorShare));
  // A request in doubt may still bring its answer.
  if (failing === undefined || inDoubt.held > 0) return null;
  const lost = counted(failing.runsWithoutAnswer - failing.unfinished, "failed question");
  const when = isAdvised ? "mend what stopped it" : `wait until ${failing.target} answers again`;
  const why = `${when}, then go on, and ask the ${lost} of ${failing.target} again`;
  return resumeStep(given, { why, flags: `${given.resumeFlags} --failed` });
}

/** Runs the same once more. */
function runStep(given: Concluded, { why, changed = {} }: { why: string; changed?: Parameters<Rerun>[0] }): NextStep {
  const { rerun, out } = given;
  if (rerun !== undefined) return { why, command: rerun(changed) };
  const flags = flagWords(changed).map((word) => ` ${word}`);
  return fileStep(given, { why, command: (file) => `tandem run ${file}${flags.join("")}${folderFlag(out)}` });
}

/** A step that takes the suite file; where that is not found any more it is said, and the command shows what was run. */
function fileStep(
  { batch: { suite, name }, out }: Concluded,
  { why, command }: { why: string; command: (file: string) => string },
): NextStep {
  if (suitePathOf(suite) !== null) return { why, command: command(typedSuite(suite)) };
  const file =
    suite.folder === null ? "it has no suite file" : `its suite file is not found any more in ${suite.folder}`;
  return {
    why: `${why}; ${file}. To see what was run`,
    command: `tandem batches show ${shellWord(name)}${folderFlag(out)}`,
  };
}

/** The words of a command line that say so. */
export function flagWords({ secondLook, ...values }: ChangedFlags): string[] {
  return [
    ...Object.entries(values).flatMap(([flag, value]) => [`--${flag}`, String(value)]),
    ...(secondLook === true ? ["--second-look"] : []),
  ];
}

/** The first cause of an invalid comparison that a person can mend; null: none is known. */
function mendingStep(given: Concluded, name: string): NextStep | null {
  const { targets, candidates, decision } = given.comparison;
  const { missing } = given;
  const { validity } = given.comparison;
  if (validity?.state === "invalid" && validity.byJudge !== undefined && validity.byJudge.length > 0) {
    const folder = folderFlag(given.out);
    const graded = validity.byJudge.map((batch) => `tandem score ${shellWord(batch)}${folder}`);
    return { why: "grade both sides by the judge of today", command: graded.join(" && ") };
  }
  if (missing !== null && !missing.isAllowed) {
    const lacks = shardWords(missing.parts, missing.of);
    const why = `merge ${lacks} too, or do without it (--partial), by the results folders of all parts; to see how`;
    return { why, command: "tandem help merge" };
  }
  const failing = targets.find((target) => (errorShare(target) ?? 0) > decision.maxErrorShare);
  if (failing !== undefined) {
    return askedAgain(given, failing, `find out why ${failing.target} fails to answer`);
  }
  const ungraded = ungradedStep(given.comparison, name);
  if (ungraded !== null) return ungraded;
  const regraded = candidates.some(({ expectedDiffers, pairing }) => expectedDiffers / pairing.paired > 0);
  if (regraded) {
    const why = "grade by the expected answers of today";
    return fileStep(given, { why, command: (file) => `tandem score ${name} --suite ${file}` });
  }
  const isOther = candidates.some(
    ({ pairing: { paired, inputDiffers, onlyBaseline } }) =>
      paired === 0 || inputDiffers.cases > 0 || onlyBaseline.cases > 0,
  );
  return isOther ? runStep(given, { why: "ask both sides the same sheet" }) : null;
}

/** Explains an answer that has no grade of a metric which something is decided by; null: all have one. */
function ungradedStep({ targets, candidates }: Comparison, name: string): NextStep | null {
  const ungraded = [...targets].flatMap(({ ungraded: groups }) => groups.filter(({ applies }) => applies));
  const [group] = ungraded.toSorted((a, b) => b.jobs - a.jobs);
  const isUngraded = candidates.some(({ metrics }) =>
    metrics.some(({ gated, unscored }) => gated && unscored.baseline + unscored.candidate > 0),
  );
  if (!isUngraded || group === undefined) return null;
  const command = `tandem score ${name} --explain ${shellWord(group.example)}`;
  return { why: `see why answers have no grade of ${group.metric}`, command };
}

/** The way to the answers and grades that are missing where these decide; null: none is, or something else does. */
function gapStep(given: Concluded, name: string): NextStep | null {
  const { candidates } = given.comparison;
  const gapped = candidates.find(({ metrics }) =>
    metrics.some(({ gated, gaps }) => gated && gaps !== null && gaps.candidate > gaps.baseline),
  );
  return gapped === undefined
    ? null
    : (ungradedStep(given.comparison, name) ?? unansweredStep(given, gapped.candidate));
}

/** The same where nothing but rows without an answer or a grade makes more of them newly fail than may; null: others do. */
function lostGapStep(given: Concluded, name: string): NextStep | null {
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

/** The way to the answers of a target that are missing; null: none is. */
function unansweredStep(given: Concluded, target: string): NextStep | null {
  const lacking = given.comparison.targets.find((each) => each.target === target);
  if (lacking === undefined || lacking.runsWithoutAnswer === 0) return null;
  const missing = counted(lacking.runsWithoutAnswer, "run");
  return askedAgain(given, lacking, `find out why ${target} gave no answer in ${missing}`);
}

/** The way to answers that a target lacks: stored ones are filled in, what was sent is asked again in its batch. */
function askedAgain(given: Concluded, lacking: TargetSummary, why: string): NextStep {
  const filling = fillingWords(given.batch.suite, lacking);
  return filling === null
    ? resumeStep(given, { why: `${why}, then ask these rows again`, flags: `${given.resumeFlags} --failed` })
    : runStep(given, { why: `${filling}, then run it again` });
}

/** `fill column \`test\` of sheet.csv in rows 3, 7, 11 and 17 more`; null for a target that is asked, and where no stored answer is missing. */
function fillingWords({ targets, datasets }: Suite, { target, errorGroups }: TargetSummary): string | null {
  const column = targets.find(({ name }) => name === target)?.stored?.answer;
  const blank = errorGroups.find(({ outcome }) => outcome === notPlanned);
  if (column === undefined || blank === undefined) return null;
  const [file = ""] = datasets;
  const of = datasets.length === 1 && file !== "-" ? ` of ${basename(file)}` : "";
  const rows = rowsWords(blank.rows, blank.jobs);
  return `fill column \`${column}\`${of}${rows === "" ? "" : ` in ${rows}`}`;
}

/** The run that brings an open gate further; null where the rows are what is left to go by. */
function decidingStep(given: Concluded): NextStep | null {
  const { batch, comparison } = given;
  const gate = comparison.gates.find(({ state, tooFew }) => state === "inconclusive" && !tooFew);
  const settle = gate !== undefined && isMargin(gate) ? gate.settle : null;
  if (settle === null || settle.kind === "last" || settle.kind === "labels") return null;
  const { repeatFirst, next } = settle;
  const of = countedBy(comparison, gate);
  const { cases, changed } = of;
  // Such a look is told as one, also where it asks the same rows again.
  const second = next?.by === "flag" ? { secondLook: true as const } : {};
  if (repeatFirst !== undefined && changed > 0) {
    const why = `ask each row ${repeatFirst} times, to see which changes are chance`;
    return runStep(given, { why, changed: { repeats: repeatFirst, ...second } });
  }
  const isPart = batch.selection !== null && (batch.selection.sample ?? batch.selection.limit) !== null;
  const inAll = rowsInAll(settle, of);
  if (inAll !== null && isPart) {
    return runStep(given, {
      why: "ask more rows of the sheet, or all where it has fewer",
      // As many more are drawn as ask the same.
      changed: { sample: of.questions === null ? inAll : roughly((inAll * cases) / countedRows(of)), ...second },
    });
  }
  if ((settle.kind === "cases" || settle.kind === "too many") && settle.repeats !== null) {
    const { repeats } = settle;
    const why = `ask each of the ${counted(cases, "row")} ${repeats} times`;
    return runStep(given, { why, changed: { repeats, ...second } });
  }
  const failing = newlyFailing(comparison, gate);
  if (failing !== null)
    return {
      why: `read and judge ${failing === 1 ? "this row" : `these ${number(failing)} rows`}`,
      command: `tandem view${folderFlag(given.out)}`,
    };
  const all = rowsInAll(settle, of);
  // Advice that cannot be followed is none.
  if (all === null && settle.kind === "too many") return null;
  const more = all === null || addRowsWords(settle, of) === null ? null : all - countedRows(of);
  const asking = of.questions === null ? "" : more === 1 ? " that asks something else" : " that ask something else";
  const [file] = batch.suite.datasets;
  const adding =
    more === null
      ? null
      : `add ${counted(more, "row")}${asking} to ${file === undefined ? "the sheet" : basename(file)}${boundWords(settle.next?.most, all)}`;
  const noun = settle.kind === "clusters" && settle.noun !== "cases" ? settle.noun : "rows";
  const why =
    adding ?? (settle.kind === "clusters" ? `bring the sheet to at least ${settle.least} ${noun}` : "add rows");
  const over = next === undefined ? "run it again" : "compare all of them (a second look)";
  return runStep(given, { why: `${why}, then ${over}`, changed: second });
}

/** Rows that newly fail where none newly passes and stored answers cannot be asked again: a few to read; null: it is not so. */
function newlyFailing(
  { candidates, targets }: Comparison,
  gate: Comparison["gates"][number] | undefined,
): number | null {
  const own = candidates.find(({ candidate }) => candidate === gate?.candidate);
  if (own === undefined || own.flips.metric !== gate?.metric || gate.slice !== null) return null;
  const isStored = targets.every(({ attempts }) => attempts === 0);
  const count = (kind: string): number => own.flips.lists.find((each) => each.kind === kind)?.cases ?? 0;
  const lost = count("pass-to-fail");
  return isStored && lost > 0 && lost <= mostToRead && count("fail-to-pass") === 0 ? lost : null;
}

const mostToRead = 20;

/** ` (the two looks of the suite hold for 60 rows at most)`: more rows than the level of the second look is made for. */
const boundWords = (most: number | undefined, all: number | null): string =>
  most === undefined || all === null || all <= most
    ? ""
    : ` (the two looks of the suite hold for ${number(most)} rows at most)`;

/** The cases that a gate is about, and those that changed: as its advice in the report counts them. */
function countedBy({ candidates, cases }: Comparison, gate: Comparison["gates"][number] | undefined) {
  const own = candidates.find(({ candidate }) => candidate === gate?.candidate)?.metrics;
  const summary = own?.find(({ metric, of }) => metric === gate?.metric && of === gate.of);
  const figures = gate?.figures ?? (summary === undefined ? null : overallFigures(summary));
  const questions = gate?.slice === null ? (summary?.questions ?? null) : null;
  if (figures === null) return { cases, changed: 0, questions };
  return { cases: figures.cases, changed: figures.worse + figures.better, questions };
}
