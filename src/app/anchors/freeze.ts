import { rangeOf } from "../../compare/comparison-plan.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { clusterRank } from "../../plan/rank.ts";
import { counted, number } from "../../report/say/quantity.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type AnchorSet, type AnchorSource, anchorSets, freezeAnswers } from "../../store/scores/anchors.ts";
import { gradedBy } from "../../store/scores/graded-by.ts";
import { latestScoring, type Scoring, scoredResults } from "../../store/scores/scores.ts";
import type { StoredScorer } from "../../store/scores/stored-scorer.ts";
import { answerMarks } from "../labels/answer-marks.ts";
import { judgeExamples } from "../labels/judge-examples.ts";
import { peopleLabels } from "../labels/people-labels.ts";
import { ownComparison } from "../compare/planned-comparison.ts";
import { checkedNoise } from "../plan/checked-judges.ts";
import { anchorMark } from "./anchor-mark.ts";

/** A wish to watch a judge by answers of a batch. */
export interface FreezeRequest {
  /** Name of the judge's score; null: the only one. */
  scorer: string | null;
  /** Number of answers. */
  count: number;
  seed: string;
  /** Takes answers that nobody has labelled too. */
  unlabelled: boolean;
  at: number;
}

/** Anchors that were frozen, as they are told. */
export interface FrozenAnchors {
  suite: string;
  batch: string;
  scorer: string;
  measure: AnchorSet["measure"];
  anchors: number;
  /** Answers that the judge passed, and failed. */
  pass: number;
  fail: number;
  /** Answers about which the judge is least sure, by its score, by people and by the answer of the other side. */
  nearBorder: number;
  labelled: number;
  /** Share of its verdicts that are other than usual, by the latest check of this judge; null: none asked it again about the same answers. */
  noise: number | null;
  strata: { name: string; answers: number }[];
}

/** Fewer tell too little of the judge: half of them is a chart. */
const fewestAnchors = 60;
const fewestOfVerdict = fewestAnchors / 2;

/**
 * Freezes answers of a batch, by which its judge is watched from night to night: as many that it passes as that it fails, half
 * of them near the border, of all strata, with labels of people. Throws ANCHORS_REFUSED with what is missing and what to do.
 */
export function freezeAnchors(db: Connection, batch: Batch, request: FreezeRequest): FrozenAnchors {
  const scoring = latestScoring(db, batch.id);
  const { place, scorer } = judgeOf(batch, scoring, request.scorer);
  const { metric } = scorer;
  if (anchorSets(db, batch.suiteName).some((set) => set.scorer === metric.name))
    throw known(batch.suiteName, metric.name);
  const measure = measureOf(db, batch, metric.name);
  const found = scoring === null ? [] : answersOf(db, batch, { scoring, place, scorer });
  const usable = request.unlabelled ? found : found.filter(({ source }) => source.anchor.label !== null);
  refuseFew(batch, metric.name, { found, usable, ...request });
  const chosen = [true, false].flatMap((pass) => ofVerdict(usable, pass, request));
  const sources = chosen
    .map(({ source }) => source)
    .toSorted((one, other) => one.caseId - other.caseId || one.jobId - other.jobId);
  freezeAnswers(db, batch, { scorer: metric.name, measure, frozenAt: request.at, sources });
  const strata = Map.groupBy(chosen, ({ stratum }) => stratum);
  return {
    suite: batch.suiteName,
    batch: batch.name,
    scorer: metric.name,
    measure,
    anchors: chosen.length,
    pass: chosen.filter(({ pass }) => pass).length,
    fail: chosen.filter(({ pass }) => !pass).length,
    nearBorder: chosen.filter(({ isNear }) => isNear).length,
    labelled: chosen.filter(({ source }) => source.anchor.label !== null).length,
    noise: checkedNoise(db, batch.suite, scorer.spec),
    strata: Array.from(strata, ([name, own]) => ({ name, answers: own.length })).toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    ),
  };
}

/** An answer that could be frozen. */
interface Candidate {
  source: AnchorSource;
  key: string;
  pass: boolean;
  /** Answers of a target that the judge passed or failed, as it did the other side. */
  stratum: string;
  /** Low where the judge can hardly be sure. */
  distance: number;
  isNear: boolean;
}

/** The judge that is meant: one that grades single answers. */
function judgeOf(
  batch: Batch,
  scoring: Scoring | null,
  wanted: string | null,
): { place: number; scorer: StoredScorer } {
  const all = (scoring?.scorers ?? []).map((scorer, place) => ({ scorer, place }));
  const judges = all.filter(({ scorer: { spec } }) => scorerOfType(spec.type)?.family === "judge");
  const single = judges.filter(({ scorer: { metric } }) => metric.against === null);
  const names = single.map(({ scorer: { metric } }) => metric.name);
  if (single.length === 0) {
    const pairs = judges.map(({ scorer: { metric } }) => showText(metric.name)).join(", ");
    const what =
      judges.length === 0
        ? `${batch.name} was graded by no judge`
        : `the judge of ${batch.name} compares two answers (${pairs})`;
    throw new AppError("ANCHORS_REFUSED", `${what}: anchors watch a judge that grades single answers.`, {
      hint: "Grade by a judge first: `tandem score BATCH --suite FILE` with a scorer of the type judge or function-judge.",
    });
  }
  const found = wanted === null ? single : single.filter(({ scorer: { metric } }) => metric.name === wanted);
  const [only, other] = found;
  if (only === undefined) {
    throw new AppError("ANCHORS_REFUSED", `${batch.name} has no judge ${showText(wanted ?? "")}.`, {
      hint: didYouMean(wanted ?? "", names) ?? `It has: ${names.join(", ")}.`,
    });
  }
  if (other !== undefined) {
    throw new AppError(
      "ANCHORS_REFUSED",
      `${batch.name} has ${names.length} judges, each with anchors of its own: say which.`,
      {
        hint: `--metric, one of: ${names.join(", ")}. Run it once for each that is to be watched.`,
      },
    );
  }
  return only;
}

function known(suite: string, scorer: string): AppError {
  return new AppError("ANCHORS_REFUSED", `The judge ${showText(scorer)} of ${suite} is watched already.`, {
    hint: `\`tandem judge anchors --list\` shows by what. New anchors begin with ten nights of reference: \`tandem judge anchors ${suite} --metric ${scorer} --remove\` first.`,
  });
}

/** The measure that decides: what the judge passes, unless only its values are compared, or a gate goes by them. */
function measureOf(db: Connection, batch: Batch, scorer: string): AnchorSet["measure"] {
  const own = ownComparison(db, batch).settings.metrics.filter(({ metric }) => metric.name === scorer);
  const byGate = own.find(({ gates }) => gates.length > 0);
  return (byGate ?? own[0])?.of === "value" ? "value" : "pass";
}

/** Answers with a verdict of the judge, each text to a question once. */
function answersOf(
  db: Connection,
  batch: Batch,
  { scoring, place, scorer }: { scoring: Scoring; place: number; scorer: StoredScorer },
): Candidate[] {
  const names = new Map(batchTargets(db, batch.id).map(({ id, name }) => [id, name]));
  const labels = peopleLabels(db, [batch], { metric: scorer.metric, of: labelScale(scorer.metric) }) ?? new Map();
  const markOf = answerMarks(db);
  const expected = gradedBy(db, scoring.id);
  const border = borderOf(scorer);
  const seen = new Set<string>();
  const found: Candidate[] = [];
  const isExample = judgeExamples(batch.suite, scorer.spec);
  for (const result of scoredResults(db, batch.id, scoring.id, { reasons: false })) {
    // It was told what to say of them.
    if (isExample?.(result) === true) continue;
    const text = expected.get(result.caseId);
    const shown = text === undefined ? result : { ...result, expected: text };
    const graded = result.jobs.flatMap((job) => {
      const score = job.scores[place];
      return job.outcome !== "ok" || job.body === null || score === undefined || score.value === null
        ? []
        : [{ job, value: score.value, pass: score.pass }];
    });
    for (const { job, value, pass: said } of graded) {
      const mark = anchorMark(shown, job);
      if (seen.has(mark)) continue;
      seen.add(mark);
      const pass = said ?? border(value) >= 0;
      const given = labels.get(job.jobId);
      const isOfText = given !== undefined && (given.answer === null || given.answer === markOf(job.jobId));
      const label = isOfText ? given.value : null;
      const others = graded.filter((other) => other.job.targetId !== job.targetId);
      const differs = others.some((other) => (other.pass ?? border(other.value) >= 0) !== pass);
      const isContradicted = label !== null && border(label) >= 0 !== pass;
      const side = others.length === 0 ? "" : differs ? ", the other not" : ", the other too";
      found.push({
        key: `${result.key} ${names.get(job.targetId) ?? ""} ${job.repeat}`,
        pass,
        stratum: `${names.get(job.targetId) ?? ""} ${pass ? "passes" : "fails"}${side}`,
        distance: Math.abs(border(value)) - (isContradicted ? 0.5 : 0) - (differs ? 0.25 : 0),
        isNear: false,
        source: {
          jobId: job.jobId,
          caseId: result.caseId,
          targetId: job.targetId,
          expected: shown.expected,
          anchor: { mark, value, pass: said, label },
        },
      });
    }
  }
  return found;
}

/** Labels of good and bad where the judge passes and fails. */
const labelScale = (metric: Metric): string => (metric.passes ? "pass" : "value");

/** Distance of a value from the one from which on an answer passes, as a share of the range: 0 and more passes. */
function borderOf({ metric, spec: { options } }: StoredScorer): (value: number) => number {
  const { scale, lowerIsBetter } = metric;
  const [min, max] = scale.kind === "bounded" ? [scale.min, scale.max] : [0, 1];
  const asked = options["threshold"];
  const threshold = typeof asked === "number" ? asked : (min + max) / 2;
  const range = rangeOf({ metric, of: "value" }) ?? 1;
  return (value) => ((lowerIsBetter ? -1 : 1) * (value - threshold)) / range;
}

/** Those of one verdict: half of them nearest to the border, the others by lot; both from all strata in turn. */
function ofVerdict(usable: readonly Candidate[], pass: boolean, { count, seed }: FreezeRequest): Candidate[] {
  const [own, other] = [pass, !pass].map((verdict) => usable.filter((each) => each.pass === verdict));
  const half = pass ? Math.ceil(count / 2) : Math.floor(count / 2);
  const wanted = Math.min(own?.length ?? 0, Math.max(half, count - (other?.length ?? 0)));
  const rank = ({ key }: Candidate): number => clusterRank(`anchors/${seed}`, key);
  const byLot = (own ?? []).toSorted((one, two) => rank(one) - rank(two));
  const near = inTurn(
    byLot.toSorted((one, two) => one.distance - two.distance),
    Math.ceil(wanted / 2),
  );
  const rest = inTurn(
    byLot.filter((each) => !near.includes(each)),
    wanted - near.length,
  );
  return [...near.map((each) => ({ ...each, isNear: true })), ...rest];
}

/** The first of each stratum, then the second of each, and so on. */
function inTurn(candidates: readonly Candidate[], count: number): Candidate[] {
  const strata = [...Map.groupBy(candidates, ({ stratum }) => stratum).values()];
  const taken: Candidate[] = [];
  for (let round = 0; taken.length < Math.min(count, candidates.length); round++) {
    for (const stratum of strata) {
      const next = stratum[round];
      if (next !== undefined && taken.length < count) taken.push(next);
    }
  }
  return taken;
}

/** Says plainly what is missing, and what to do about it. */
function refuseFew(
  batch: Batch,
  scorer: string,
  { found, usable, count, unlabelled }: FreezeRequest & { found: readonly Candidate[]; usable: readonly Candidate[] },
): void {
  const of = (all: readonly Candidate[], pass: boolean): number => all.filter((each) => each.pass === pass).length;
  const [passing, failing] = [of(usable, true), of(usable, false)];
  const needs = Math.max(count, fewestAnchors);
  if (passing >= fewestOfVerdict && failing >= fewestOfVerdict && usable.length >= needs) return;
  const has = unlabelled ? "" : " and people labelled";
  const all = [true, false].map((pass) => of(found, pass));
  const inAll = all.every((answers) => answers >= fewestOfVerdict) && found.length >= needs;
  const short = passing < fewestOfVerdict ? "passes" : failing < fewestOfVerdict ? "fails" : null;
  const rule =
    short === null
      ? `${number(needs)} are asked for`
      : `anchors take ${fewestOfVerdict} or more of each, so that the judge can be seen to change either way`;
  throw new AppError(
    "ANCHORS_REFUSED",
    `${batch.name} has ${counted(passing, "answer")} that \`${scorer}\` passes${has}, and ${number(failing)} that it fails${has}: ${rule}.`,
    {
      hint:
        !unlabelled && inAll
          ? `There are ${number(all[0] ?? 0)} and ${number(all[1] ?? 0)} with those that nobody labelled. Label more: tandem label draw ${batch.name} --labels N; or freeze them without labels: --unlabelled.`
          : `Take a batch with more answers${short === null ? "" : `, of a bot that \`${scorer}\` ${short} more often`}: name it, or add rows to the sheet, run, and label.`,
    },
  );
}
