import type { LabellersAgreement } from "../../compare/comparison-plan.ts";
import { fewestAgreementUnits, krippendorff } from "../../stats/agreement/krippendorff.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchLabels, type StoredLabel } from "../../store/scores/labels.ts";
import { repeatedLabels } from "../../store/scores/repeated-labels.ts";
import { answerMarks } from "./answer-marks.ts";

/** Krippendorff's alpha of which the lower end must reach this, for labels to decide anything. */
const leastAgreement = 0.667;

/** Agreement of people about the answers of a batch, and of each with the own words of before. */
export interface PeopleAgreement extends LabellersAgreement {
  /** Why there is no alpha, or no interval; null where there are both. */
  reason: string | null;
  /** Answers about which as many say good as bad, and nobody settled it; and those that a third person settled. */
  open: number;
  settled: number;
  /** Answers that a person labelled again without knowing it, and those of them with the same word. */
  repeats: { author: string; answers: number; same: number }[];
}

/**
 * Agreement of the people who labelled the answers of batches as a whole, without the words of those who settled what others did not
 * agree about; null where fewer than two people labelled. Cases are clusters: both answers of a case are alike.
 */
export function peopleAgreement(db: Connection, batches: readonly Pick<Batch, "id">[]): PeopleAgreement | null {
  const labels = batches.flatMap(({ id }) => Array.from(batchLabels(db, id)).filter(({ scorer }) => scorer === ""));
  const first = labels.filter(({ adjudicates }) => !adjudicates);
  const labellers = [...new Set(first.map(({ author }) => author))].toSorted();
  const repeats = batches.flatMap(({ id }) => repeatsIn(db, id, first));
  if (labellers.length < 2 && repeats.length === 0) return null;
  const markOf = answerMarks(db);
  const several = Array.from(Map.groupBy(first, ({ jobId }) => jobId).values()).filter(
    (own) => new Set(own.map(({ author }) => author)).size > 1,
  );
  const units = several.flatMap((own) => {
    const mark = own.some(({ answer }) => (answer ?? null) !== null) ? markOf(own[0]?.jobId ?? 0) : null;
    const ofNow = own.filter(({ answer }) => (answer ?? null) === null || answer === mark);
    return ofNow.length > 1 ? [ofNow] : [];
  });
  const values = units.map((own) => own.map(({ value }) => value));
  const isNominal = values.flat().every((value) => value === 0 || value === 1);
  const clusters = units.map(([label]) => label?.caseId ?? 0);
  const found = krippendorff(values, { level: isNominal ? "nominal" : "interval", confidence: 0.95, clusters });
  const isShown = units.length >= fewestAgreementUnits;
  const interval = isShown ? found.interval : null;
  const few =
    units.length > 0 && !isShown ? `too few for a range: ${fewestAgreementUnits} answers by two are the fewest` : null;
  const settledBy = new Set(labels.filter(({ adjudicates }) => adjudicates).map(({ jobId }) => jobId));
  const split = units.filter(isSplit);
  return {
    labellers,
    both: units.length,
    alpha: found.alpha,
    interval,
    tooLow: interval !== null && interval.low < leastAgreement,
    reason: found.reason ?? few,
    open: split.filter(([label]) => !settledBy.has(label?.jobId ?? 0)).length,
    settled: split.filter(([label]) => settledBy.has(label?.jobId ?? 0)).length,
    repeats: Array.from(
      Map.groupBy(repeats, ({ author }) => author),
      ([author, own]) => ({ author, answers: own.length, same: own.filter(({ same }) => same).length }),
    ),
  };
}

function isSplit(labels: readonly StoredLabel[]): boolean {
  const good = labels.filter(({ value }) => value === 1).length;
  return labels.every(({ value }) => value === 0 || value === 1) && good * 2 === labels.length;
}

function repeatsIn(
  db: Connection,
  batchId: number,
  first: readonly StoredLabel[],
): { author: string; same: boolean }[] {
  return repeatedLabels(db, batchId).flatMap(({ jobId, author, value, answer }) => {
    const before = first.find((label) => label.jobId === jobId && label.author === author);
    if (before === undefined || (before.answer ?? null) !== answer) return [];
    return [{ author, same: before.value === value }];
  });
}
