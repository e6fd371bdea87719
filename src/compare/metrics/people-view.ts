import type { LabelsCause } from "../cause.ts";
import type { LabellersAgreement } from "../comparison-plan.ts";
import type { Interval } from "../../stats/interval.ts";
import type { CorrectedDifference } from "../../stats/judged/corrected-difference.ts";
import type { Integer } from "../../lib/integer.ts";

/** Labels of people of a metric that a judge grades, beside what the judge says. */
export interface PeopleView {
  /** Cases that the labels are to tell of. */
  cases: Integer;
  /** Cases with labels of both answers that count. */
  labels: Integer;
  /** Cases of the draw that lack a label. */
  unlabelled: Integer;
  /** Labels of an answer that has another text now: they are not used. */
  stale: Integer;
  /** Cases that the judge was written with: their labels do not count, and they are not drawn. */
  examples: Integer;
  /** Labelled cases that people call worse. */
  worse: Integer;
  /** Labelled cases that people call better. */
  better: Integer;
  /** Agreement of those who labelled. */
  agreement?: LabellersAgreement;
  /** The figures by the judge alone. */
  judge: { baseline: number | null; candidate: number | null; estimate: number | null; interval: Interval | null };
  /** The difference by the labels alone, without the judge; null where they decide nothing, and where every case has one. */
  alone: { estimate: number; interval: Interval | null } | null;
  /** Why the labels decide nothing; null: they decide. */
  refused: LabelsCause | null;
  /** The judge as the labels correct it; null where they decide nothing, and where every case has one. */
  corrected: CorrectedFigures | null;
}

/** The part of a corrected difference that is told. */
export type CorrectedFigures = Pick<
  CorrectedDifference,
  "lambda" | "correlation" | "sd" | "isWidened" | "differing" | "labelledClusters" | "df"
>;
