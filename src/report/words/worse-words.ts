import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { loss } from "./figures.ts";
import { counted } from "./quantity.ts";

/** A metric that is surely worse, as it is shown. */
export interface ShownWorse {
  candidate: string;
  about: ReportMetric;
  slice: { tag: string; value: string } | null;
  /** Loss, above 0; of a ratio the share by which it is worse. */
  lost: number;
  /** Its gate, which did not find a regression; null: none asks about it. */
  gate: ReportGate | null;
}

const mostNamed = 2;

/** `. Also worse, without a gate: `seconds` (by 0.42 s)`; empty where there is nothing to add. */
export function alsoWorseWords(worse: readonly ShownWorse[]): string {
  if (worse.length === 0) return "";
  const named = worse.slice(0, mostNamed).map(oneWords);
  const more = worse.length - named.length;
  const all = more === 0 ? named : [...named, counted(more, "more metric or tag", "more metrics or tags")];
  return `. Also worse${worse.some(({ gate }) => gate !== null) ? "" : ", without a gate"}: ${all.join(", ")}`;
}

function oneWords({ about, slice, lost, gate }: ShownWorse): string {
  const where = slice === null ? "" : ` where ${slice.tag} is ${slice.value}`;
  return `\`${about.name}\`${where} (by ${loss(lost, about)}${marginWords(gate, about)})`;
}

function marginWords(gate: ReportGate | null, about: ReportMetric): string {
  if (gate?.margin === null || gate?.margin === undefined) return "";
  const margin = loss(gate.margin, about);
  return gate.state === "pass" ? `, less than ${margin}` : `, whether by more than ${margin} is open`;
}

/** The claim of a gate whose metric is surely worse, although it found no regression: `is surely worse on `correct`; whether by more than 5 points is open`. */
export function worseClaim({ about, gate }: ShownWorse): string {
  const margin = gate?.margin ?? 0;
  if (margin === 0) return `is surely worse on \`${about.name}\``;
  const by = loss(margin, about);
  return gate?.state === "pass"
    ? `is surely worse on \`${about.name}\`, but by less than ${by}`
    : `is surely worse on \`${about.name}\`; whether by more than ${by} is open`;
}
