import type { CandidateVerdict } from "../../compare/summary/candidate-verdict.ts";
import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { counted, number } from "./quantity.ts";
import { segmentWords } from "./segment-words.ts";

/** A place that alone makes a candidate worse, beside the gate of its metric over all cases. */
export interface DeadPlace {
  place: NonNullable<CandidateVerdict["byPlace"]>;
  gate: Pick<ReportGate, "candidate" | "metric" | "cases">;
  about: Pick<ReportMetric, "name" | "passes">;
  baseline: string;
  /** Over all cases the candidate is surely better. */
  isBetter: boolean;
}

/** `all 40 rows with product = card and language = ar newly fail; over all 600 rows test is as good as prod on `correct``. */
export function deadPlaceWords({ place, gate, about, baseline, isBetter }: DeadPlace): string {
  const { cases, worse } = place;
  const rows = worse === cases ? `all ${counted(cases, "row")}` : `${number(worse)} of ${counted(cases, "row")}`;
  const turned = about.passes ? "newly fail" : "got worse";
  const over = `over all ${counted(gate.cases, "row")} ${gate.candidate} is ${isBetter ? "better than" : "as good as"} ${baseline}`;
  return `${rows} with ${segmentWords(place)} ${turned}; ${over} on \`${gate.metric}\``;
}
