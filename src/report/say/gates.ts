import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { limitFigure, loss, lossBeside } from "./figures.ts";
import { number } from "./quantity.ts";
import { falseAlarms, type TriesAsked } from "../../stats/planning/tries.ts";
import type { GateKind } from "../../suite/gate-settings.ts";

/** Words and figures of one kind of gate, wherever it is shown. */
interface KindWords {
  /** The bound or the count that decides, beside the limit; null where nothing decides by one. */
  bound: (gate: ReportGate, metric: ReportMetric) => string | null;
  /** Behind its name in a table: ` (limit 5 points)`. */
  limit: (gate: ReportGate, metric: ReportMetric) => string;
  /** The count that it decides by, and of cases that newly fail their number; null: a picture of its interval tells more. */
  failing: (gate: ReportGate) => { cases: number | null; words: string } | null;
}

/** Words of a gate that accepts a margin, and of a metric without a gate. */
const marginWords: KindWords = {
  bound({ state, interval, margin, sides }, metric) {
    if (interval === null || margin === null) return null;
    if (sides === 2) return `a gain of at least ${loss(interval.lower, metric)}; limit ${limitFigure(margin, metric)}`;
    const [least, most] = [-interval.upper, -interval.lower];
    const size = (value: number): string => lossBeside(value, margin, metric);
    const limit = `limit ${limitFigure(margin, metric)}`;
    if (state === "regression") return `a loss of at least ${size(least)}; ${limit}`;
    if (most <= 0) return `no loss; ${limit}`;
    if (state === "pass") return `a loss of at most ${size(most)}; ${limit}`;
    return `a loss of ${least > 0 ? `at least ${size(least)}, ` : ""}up to ${size(most)}; ${limit}`;
  },
  limit: ({ margin }, metric) => (margin === null ? "" : ` (limit ${limitFigure(margin, metric)})`),
  failing: () => null,
};

/** Words of a gate that counts cases which turn from pass to fail. */
const lossesWords: KindWords = {
  bound(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return `${number(lost)} newly failing; limit ${number(allowed)}`;
  },
  limit(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return ` (${number(lost)} lost, ${number(allowed)} allowed)`;
  },
  failing(gate) {
    const { lost, allowed } = countsOfGate(gate);
    return { cases: lost, words: `${lost} newly failing, ${allowed} allowed` };
  },
};

function countsOfGate({ losses }: ReportGate): NonNullable<ReportGate["losses"]> {
  return losses ?? { lost: 0, gained: 0, cases: 0, allowed: 0 };
}

/** Words of a gate on rows that have to hold over repeats. */
const casesWords: KindWords = {
  bound: (gate) => {
    const { cases, failing, pass, of } = triesOfGate(gate);
    return `${number(failing)} of ${number(cases)} do not hold; limit ${pass} of ${of}`;
  },
  limit: (gate) => {
    const { failing, pass, of } = triesOfGate(gate);
    return ` (${number(failing)} below ${pass} of ${of} tries)`;
  },
  failing: (gate) => {
    const { cases, failing, pass, of } = triesOfGate(gate);
    return { cases: null, words: `${failing} of ${cases} below ${pass} of ${of} tries` };
  },
};

function triesOfGate({ tries }: ReportGate): NonNullable<ReportGate["tries"]> {
  return tries ?? { pass: 0, of: 0, cases: 0, held: 0, failing: 0, open: 0, rows: [] };
}

/** `By chance, with nothing changed: a row that passes 90 % of its tries fails this gate in 0.86 %, and of 40 such rows at least one does in 29 %; ...` */
export function falseAlarmWords(asked: TriesAsked, cases: number): string {
  const rows = falseAlarms(asked, cases).map(({ share, row, any }, place) => {
    const tries = `${Math.round(share * 100)} % of its tries`;
    return place === 0
      ? `a row that passes ${tries} fails this gate in ${chance(row)}, and of ${number(cases)} such rows at least one does in ${chance(any)}`
      : `one that passes ${tries} in ${chance(row)}, and at least one in ${chance(any)}`;
  });
  return `By chance, with nothing changed: ${rows.join("; ")}.`;
}

function chance(share: number): string {
  if (share <= 0) return "0 %";
  return share < 0.0001 ? "less than 0.01 %" : `${Number((share * 100).toPrecision(2))} %`;
}

/** Words of every kind of gate. */
const words: Record<GateKind, KindWords> = { margin: marginWords, losses: lossesWords, cases: casesWords };

/** Words of a gate. A metric without one, and a gate of which nothing is known, have those of a margin. */
export const gateKindWords = ({ kind = "margin" }: ReportGate): KindWords => words[kind];

/**
 * `a loss of at most 1 point; limit 5 points`, `a gain of at least 12.4 points; limit 5 points`: what is left when chance is
 * taken into account, by the bound that decides, beside the limit; null where nothing decides by one.
 */
export function boundAndLimit(gate: ReportGate, metric: ReportMetric): string | null {
  if (gate.state === null || gate.state === "invalid") return null;
  return gateKindWords(gate).bound(gate, metric);
}
