import { falseAlarms, type TriesAsked } from "../../stats/planning/tries.ts";
import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { limitFigure } from "./figures.ts";
import { number } from "./quantity.ts";

/** Behind the name of a gate: ` (limit 5 points)`, or what it counted. */
export function gateLimit({ margin, losses, tries }: ReportGate, metric: ReportMetric): string {
  if (losses !== null) return ` (${number(losses.lost)} lost, ${number(losses.allowed)} allowed)`;
  if (tries !== undefined) return ` (${number(tries.failing)} below ${tries.pass} of ${tries.of} tries)`;
  return margin === null ? "" : ` (limit ${limitFigure(margin, metric)})`;
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
