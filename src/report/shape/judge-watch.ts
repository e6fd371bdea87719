import type { ShownInterval } from "./interval.ts";
import type { Integer } from "../../lib/integer.ts";

/** A judge that is asked the same answers night after night, to see whether it has changed. */
export interface JudgeWatch {
  /** Name of the suite. */
  suite: string;
  /** Name of the judge's score. */
  scorer: string;
  /**
   * `reference`: the first nights, by which it is known; `same`: nothing shows that it has changed; `noisy`: it contradicts itself
   * so often that flips tell nothing, and only its model, fingerprint, prompt and settings are watched; `changed`: it has, as this
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
  /** Answers that it is asked about. */
  anchors: Integer;
  /** Those that it gave a verdict on in the latest night. */
  answered: Integer;
  /** Those that are gone, or are no longer what was frozen. */
  gone: Integer;
  /** Nights of reference that it has, of 10. */
  referenceNights: Integer;
  /** Flips to higher and to lower grades; left out: the nights of reference go on. */
  charts?: JudgeChart[];
  /** Mean change of its grades of the anchors since the nights of reference, which is the judge's part of a difference to them; null: not known. */
  change: {
    /** Higher is above 0; of passes a share. */
    mean: number;
    /** Paired by the answers, those to one question together; null where none can be told. */
    interval: ShownInterval | null;
  } | null;
  /** Share of the answers that people call good which it passed in the latest night, and of the bad ones that it failed; null: too few have labels, or it gives values. */
  byPeople: {
    /** Share of the good answers that it passed. */
    sensitivity: number;
    /** Share of the bad ones that it failed. */
    specificity: number;
  } | null;
  /** The latest night that showed that it has changed; left out: none did. */
  alarm?: JudgeAlarm;
  /** Questions of this night, and their cost; null without a price, or where none was asked. */
  asked: {
    /** Number of questions. */
    questions: Integer;
    /** Their cost; null without a price. */
    cost: number | null;
  } | null;
}

export type JudgeState = "reference" | "same" | "noisy" | "changed" | "unanswered" | "not-asked";

/** The flips of a judge in one direction, night after night. */
export interface JudgeChart {
  /** `up`: to higher grades, or from fail to pass. */
  direction: "up" | "down";
  /** Answers that can flip this way. */
  anchors: Integer;
  /** The nights of reference: flips among all verdicts. */
  reference: {
    /** Verdicts other than the usual one of their answer. */
    flips: Integer;
    /** All verdicts. */
    verdicts: Integer;
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
  /** Answers that flipped this way. */
  flips: Integer;
  /** Answers with a verdict. */
  anchors: Integer;
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
