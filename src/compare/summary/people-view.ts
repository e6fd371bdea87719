import type { LabellersAgreement } from "../comparison-plan.ts";
import type { Interval } from "../../stats/interval.ts";
import type { CorrectedDifference } from "../../stats/judged/corrected-difference.ts";

/** Labels of people of a metric that a judge grades, beside what the judge says. */
export interface PeopleView {
  /**
   * Cases that the labels are to tell of.
   * @asType integer
   */
  cases: number;
  /**
   * Cases with labels of both answers that count.
   * @asType integer
   */
  labels: number;
  /**
   * Cases of the draw that lack a label.
   * @asType integer
   */
  unlabelled: number;
  /**
   * Labels of an answer that has another text now: they are not used.
   * @asType integer
   */
  stale: number;
  /**
   * Labelled cases that people call worse.
   * @asType integer
   */
  worse: number;
  /**
   * Labelled cases that people call better.
   * @asType integer
   */
  better: number;
  /** Agreement of those who labelled; left out: one did. */
  agreement?: LabellersAgreement;
  /** The figures by the judge alone. */
  judge: { baseline: number | null; candidate: number | null; estimate: number | null; interval: Interval | null };
  /** The difference by the labels alone, without the judge; null where they decide nothing, and where every case has one. */
  alone: { estimate: number; interval: Interval | null } | null;
  /** Why the labels decide nothing, in words; null: they decide. */
  refused: string | null;
  /** The judge as the labels correct it; null where they decide nothing, and where every case has one. */
  corrected: CorrectedFigures | null;
}

/** The part of a corrected difference that is told. */
export type CorrectedFigures = Pick<
  CorrectedDifference,
  "lambda" | "correlation" | "sd" | "isWidened" | "differing" | "labelledClusters" | "df"
>;
