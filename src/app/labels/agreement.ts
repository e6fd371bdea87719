import {
  cohensKappa,
  enoughLabels,
  judgeCheck,
  type JudgeCheck,
  judgeCorrectedRate,
  type JudgeCounts,
  judgeQuality,
  type Kappa,
} from "../../stats/rater-agreement.ts";
import type { Interval } from "../../stats/interval.ts";
import { roganGladen } from "../../stats/judged/rogan-gladen.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchLabels, type StoredLabel } from "../../store/scores/labels.ts";
import { jobScores, latestScoring, type Scoring } from "../../store/scores/scores.ts";
import { judgeExampleIds } from "./judge-examples.ts";
import { type PeopleAgreement, peopleAgreement } from "./people-agreement.ts";
import { answerMarks } from "./answer-marks.ts";
import { scoreTotals } from "../grade/score-totals.ts";

/** Agreement of a batch's scorers with the people who labelled its answers. */
export interface Agreement {
  batch: string;
  labels: number;
  /** Answers with a label that says good or bad. */
  answers: number;
  /** Answers about which as many people say good as bad; they are left out. */
  disputed: number;
  /** Labels that are numbers of a scale: they say neither good nor bad, and are left out. */
  scale: number;
  /** Labels of an answer that has another text by now; they are left out. */
  otherText: number;
  scorers: ScorerAgreement[];
  /** All people who labelled together; null: one person labelled. */
  people: PeopleAgreement | null;
}

export interface ScorerAgreement {
  scorer: string;
  type: string;
  /** Answers that a person and the scorer both say pass or fail of. */
  answers: number;
  /** Labelled answers that the scorer left unscored or did not grade. */
  unscored: number;
  /** Labelled answers to cases that the judge was written with: they are left out. Left out itself: there are none. */
  examples?: number;
  counts: JudgeCounts;
  kappa: Kappa;
  sensitivity: number | null;
  specificity: number | null;
  /**
   * The pass rate of each target over all its graded answers, and what it would be without the scorer's mistakes on the answers of
   * that very target: a judge that likes one bot is wrong on each in another way, and mistakes taken together call the worse bot better.
   */
  targets: {
    target: string;
    rate: number | null;
    counts: JudgeCounts;
    corrected: number | null;
    /** 95 % interval of what it would be, with the chance in the labels; null where there is none. */
    interval: Interval | null;
    reason: string | null;
  }[];
}

/** Holds each scorer that says pass or fail against the labels of people. */
export function labelAgreement(db: Connection, batch: Batch): Agreement {
  const people = gather(db, batch.id);
  const scoring = latestScoring(db, batch.id);
  return {
    batch: batch.name,
    labels: people.labels,
    answers: people.whole.size,
    disputed: people.disputed,
    scale: people.scale,
    otherText: people.otherText,
    scorers: scoring === null ? [] : scorersOf(db, batch, { scoring, people }),
    people: peopleAgreement(db, [batch]),
  };
}

interface Judged {
  /** Name of the judge's metric. */
  metric: string;
  batches: readonly Batch[];
  scorings: ReadonlyMap<number, Scoring | null>;
}

/** Checks a judge against the labels of all batches that are compared. */
export function judgeCheckOf(db: Connection, { metric, batches, scorings }: Judged): JudgeCheck {
  const counts = noCounts();
  for (const batch of batches) {
    const scoring = scorings.get(batch.id) ?? null;
    const place = scoring?.scorers.findIndex((scorer) => scorer.metric.name === metric) ?? -1;
    if (scoring === null || place === -1) continue;
    const verdicts = verdictsOf(gather(db, batch.id), metric);
    const own = countAgainst(db, batch, scoring, { place, verdicts }).counts;
    for (const kind of kindsOfCount) counts[kind] += own[kind];
  }
  return judgeCheck(counts);
}

/** Verdicts of people on a score; a label of this very score counts before one of the answer. */
const verdictsOf = ({ whole, own }: People, metric: string): ReadonlyMap<number, Verdict> =>
  new Map([...whole, ...(own.get(metric) ?? [])]);

interface People {
  labels: number;
  scale: number;
  otherText: number;
  disputed: number;
  /** Verdicts of people on the answer as a whole, by job. */
  whole: Map<number, Verdict>;
  /** Labels that are about one score, by scorer and job. */
  own: Map<string, Map<number, Verdict>>;
}

interface Verdict {
  caseId: number;
  target: string;
  good: boolean;
}

/** Collects the verdict that most people give each answer. */
function gather(db: Connection, batchId: number): People {
  const none = { labels: 0, scale: 0, otherText: 0, disputed: 0 };
  const people: People = { ...none, whole: new Map(), own: new Map() };
  const markOf = answerMarks(db);
  const votes = new Map<string, { label: StoredLabel; good: number; bad: number }>();
  for (const label of batchLabels(db, batchId)) {
    people.labels += 1;
    if (label.answer !== null && label.answer !== undefined && label.answer !== markOf(label.jobId)) {
      people.otherText += 1;
      continue;
    }
    if (label.value !== 0 && label.value !== 1) {
      people.scale += 1;
      continue;
    }
    const id = `${label.jobId} ${label.scorer}`;
    const vote = votes.get(id) ?? { label, good: 0, bad: 0 };
    vote[label.value === 1 ? "good" : "bad"] += 1;
    votes.set(id, vote);
  }
  for (const { label, good, bad } of votes.values()) {
    if (good === bad) {
      people.disputed += 1;
      continue;
    }
    const verdicts = label.scorer === "" ? people.whole : (people.own.get(label.scorer) ?? new Map<number, Verdict>());
    verdicts.set(label.jobId, { caseId: label.caseId, target: label.target, good: good > bad });
    if (label.scorer !== "") people.own.set(label.scorer, verdicts);
  }
  return people;
}

function scorersOf(
  db: Connection,
  batch: Batch,
  { scoring, people }: { scoring: Scoring; people: People },
): ScorerAgreement[] {
  const totals = scoreTotals(db, scoring);
  const targets = batchTargets(db, batch.id).map(({ name }) => name);
  return scoring.scorers.flatMap(({ metric }, place) => {
    if (!metric.passes) return [];
    const verdicts = verdictsOf(people, metric.name);
    const { counts, of, unscored, examples } = countAgainst(db, batch, scoring, { place, verdicts });
    const { truePass, falsePass, trueFail, falseFail } = counts;
    return [
      {
        scorer: metric.name,
        type: metric.type,
        answers: truePass + falsePass + trueFail + falseFail,
        unscored,
        ...(examples > 0 && { examples }),
        counts,
        kappa: cohensKappa([
          [truePass, falseFail],
          [falsePass, trueFail],
        ]),
        ...judgeQuality(counts),
        targets: targets.flatMap((target) => {
          const passed = totals.metrics.find((each) => each.metric === metric.name && each.target === target)?.passed;
          const rate = passed?.share ?? null;
          if (rate === null) return [];
          const own = of.get(target) ?? noCounts();
          if (!isEnough(own))
            return [{ target, rate, counts: own, corrected: null, interval: null, reason: tooFewOfSide(target) }];
          const interval = roganGladen({ rate, answers: passed?.of ?? 0 }, own, 0.95)?.interval ?? null;
          return [{ target, rate, counts: own, ...judgeCorrectedRate(rate, judgeQuality(own)), interval }];
        }),
      },
    ];
  });
}

function countAgainst(
  db: Connection,
  batch: Batch,
  { id, scorers }: Scoring,
  { place, verdicts }: { place: number; verdicts: ReadonlyMap<number, Verdict> },
): { counts: JudgeCounts; of: ReadonlyMap<string, JudgeCounts>; unscored: number; examples: number } {
  const counts = noCounts();
  const of = new Map<string, JudgeCounts>();
  let [unscored, examples] = [0, 0];
  const spec = scorers[place]?.spec;
  const isExample = spec === undefined ? () => false : judgeExampleIds(db, batch, spec);
  for (const [jobId, { caseId, target, good }] of verdicts) {
    if (isExample(caseId)) {
      examples += 1;
      continue;
    }
    const pass = jobScores(db, id, { caseId, jobId })[place]?.pass ?? null;
    if (pass === null) {
      unscored += 1;
      continue;
    }
    const own = of.get(target) ?? noCounts();
    const found = pass ? (good ? "truePass" : "falsePass") : good ? "falseFail" : "trueFail";
    counts[found] += 1;
    own[found] += 1;
    of.set(target, own);
  }
  return { counts, of, unscored, examples };
}

const kindsOfCount = ["truePass", "falsePass", "trueFail", "falseFail"] as const;

const noCounts = (): JudgeCounts => ({ truePass: 0, falsePass: 0, trueFail: 0, falseFail: 0 });

/** The share of mistakes in fewer labels is a guess, and a scorer that made none in them looks certain. */
const isEnough = ({ truePass, falsePass, trueFail, falseFail }: JudgeCounts): boolean =>
  Math.min(truePass + falseFail, trueFail + falsePass) >= enoughLabels;

const tooFewOfSide = (target: string): string =>
  `it takes labels of ${enoughLabels} good and ${enoughLabels} bad answers of ${target}`;
