import type { LabellersAgreement } from "../../compare/comparison-plan.ts";
import { fewestAgreementUnits, krippendorff } from "../../stats/agreement/krippendorff.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { batchLabels } from "../../store/scores/labels.ts";
import { answerMarks } from "./answer-marks.ts";

/** Krippendorff's alpha of which the lower end must reach this, for labels to decide anything. */
const leastAgreement = 0.667;

/** Agreement of people about the answers of a batch. */
export interface PeopleAgreement extends LabellersAgreement {
  /** Why there is no alpha, or no interval; null where there are both. */
  reason: string | null;
}

/**
 * Agreement of the people who labelled the answers of batches as a whole; null where fewer than two people labelled. Cases are
 * clusters: both answers of a case are alike.
 */
export function peopleAgreement(db: Connection, batches: readonly Pick<Batch, "id">[]): PeopleAgreement | null {
  const labels = batches.flatMap(({ id }) => Array.from(batchLabels(db, id)).filter(({ scorer }) => scorer === ""));
  const labellers = [...new Set(labels.map(({ author }) => author))].toSorted();
  if (labellers.length < 2) return null;
  const markOf = answerMarks(db);
  const several = Array.from(Map.groupBy(labels, ({ jobId }) => jobId).values()).filter(
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
  return {
    labellers,
    both: units.length,
    alpha: found.alpha,
    interval,
    tooLow: interval !== null && interval.low < leastAgreement,
    reason: found.reason ?? few,
  };
}
