import type { ShownInterval } from "./interval.ts";

/** A judge that is asked the same answers night after night, to see whether it has changed. */
export interface JudgeWatch {
  /** Name of the judge's score. */
  scorer: string;
  /**
   * `reference`: the first nights, by which it is known; `same`: nothing shows that it has changed; `changed`: it has, as this
   * night shows; `unanswered`: this night has too few verdicts to say; `not-asked`: the suite of this night has no such judge.
   */
  state: JudgeState;
  /** The same in a sentence or two. */
  sentence: string;
  /** Facts to know beside it, such as a judge that contradicts itself; sentences. */
  notes: string[];
  /** Flips are of passes and fails, or of values. */
  measure: "pass" | "value";
  /** Name of the batch that the answers were taken from. */
  takenFrom: string;
  /**
   * Answers that it is asked about.
   * @asType integer
   */
  anchors: number;
  /**
   * Those that it gave a verdict on in the latest night.
   * @asType integer
   */
  answered: number;
  /**
   * Those that are gone, or are no longer what was frozen.
   * @asType integer
   */
  gone: number;
  /**
   * Nights of reference that it has, of 10.
   * @asType integer
   */
  referenceNights: number;
  /** Flips to higher and to lower grades; left out: the nights of reference go on. */
  charts?: JudgeChart[];
  /** Mean change of its grades of the anchors since the nights of reference, which is the judge's part of a difference to them; null: not known. */
  change: { mean: number; interval: ShownInterval | null } | null;
  /** Share of the answers that people call good which it passed in the latest night, and of the bad ones that it failed; null: too few have labels, or it gives values. */
  byPeople: { sensitivity: number; specificity: number } | null;
  /** The latest night that showed that it has changed; left out: none did. */
  alarm?: JudgeAlarm;
  /** Questions of this night, and their cost; null without a price, or where none was asked. */
  asked: {
    /** @asType integer */
    questions: number;
    cost: number | null;
  } | null;
}

export type JudgeState = "reference" | "same" | "changed" | "unanswered" | "not-asked";

/** The flips of a judge in one direction, night after night. */
export interface JudgeChart {
  direction: "up" | "down";
  /**
   * Answers that can flip this way.
   * @asType integer
   */
  anchors: number;
  /** The nights of reference: flips among all verdicts. */
  reference: {
    /** @asType integer */
    flips: number;
    /** @asType integer */
    verdicts: number;
  };
  /** It is an alarm from here on. */
  threshold: number;
  /** The nights after those of reference. */
  nights: JudgeChartNight[];
}

interface JudgeChartNight {
  /** Name of the night's batch. */
  batch: string;
  /** Its day. */
  label: string;
  /** @asType integer */
  flips: number;
  /**
   * Answers with a verdict.
   * @asType integer
   */
  anchors: number;
  /** Evidence that the judge has changed since some night: it grows by 1 a night while it has not. */
  statistic: number;
}

/** A night that showed that a judge has changed. */
interface JudgeAlarm {
  /** Name of the night's batch. */
  batch: string;
  /** Its day. */
  label: string;
  /** The signs of it, in words. */
  signs: string[];
}
