import type { PeopleLabels } from "../../compare/comparison-plan.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import { quantile } from "../../stats/quantile.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { drawsOf } from "../../store/scores/label-draws.ts";
import { batchLabels, type StoredLabel } from "../../store/scores/labels.ts";

/** Labels of people on the scale of a metric; undefined: none, and nothing was drawn for them. A label of this very score counts before one of the answer. */
export function peopleLabels(
  db: Connection,
  batches: readonly Batch[],
  { metric, of }: { metric: Metric; of: string },
): PeopleLabels | undefined {
  if (of !== "pass" && of !== "value") return undefined;
  const isRate = of === "pass" || metric.scale.kind === "pass";
  const said = new Map<number, { own: StoredLabel[]; whole: StoredLabel[] }>();
  for (const { id } of batches) {
    for (const label of batchLabels(db, id)) {
      if (label.scorer !== "" && label.scorer !== metric.name) continue;
      if (!(isRate ? label.value === 0 || label.value === 1 : isOnScale(label, metric))) continue;
      const found = said.get(label.jobId) ?? { own: [], whole: [] };
      found[label.scorer === "" ? "whole" : "own"].push(label);
      said.set(label.jobId, found);
    }
  }
  const labels = new Map(
    Array.from(said).flatMap(([jobId, { own, whole }]) => {
      const label = agreed(own.length > 0 ? own : whole, isRate);
      return label === null ? [] : [[jobId, label] as const];
    }),
  );
  const isDrawn = batches.some(({ id }) => drawsOf(db, id).length > 0);
  return labels.size === 0 && !isDrawn ? undefined : labels;
}

/** True for a label that can correct a metric, by its pass or by its value. */
export const canCorrect = (label: Pick<StoredLabel, "label" | "value">, metric: Metric): boolean =>
  (metric.passes && (label.value === 0 || label.value === 1)) || isOnScale(label, metric);

/** A number on the scale of a score; good and bad only where it goes from 0 to 1, or has no ends. */
function isOnScale({ label, value }: Pick<StoredLabel, "label" | "value">, { scale }: Metric): boolean {
  if (scale.kind !== "bounded") return true;
  const isNumber = Number.isFinite(Number(label.replace(",", ".")));
  if (!isNumber && (scale.min !== 0 || scale.max !== 1)) return false;
  return value >= scale.min && value <= scale.max;
}

/** The verdict of most people on an answer, or the middle of their numbers; null where as many say good as bad. */
function agreed(labels: readonly StoredLabel[], isRate: boolean): { value: number; answer: string | null } | null {
  const values = Float64Array.from(labels, ({ value }) => value).toSorted();
  const middle = quantile(values, 0.5);
  const answer = labels.every((each) => each.answer === labels[0]?.answer) ? (labels[0]?.answer ?? null) : null;
  if (middle === null || (isRate && middle !== 0 && middle !== 1)) return null;
  return { value: middle, answer };
}
