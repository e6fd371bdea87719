import type { ReportedCheck } from "../shape/model.ts";
import { dayLabel } from "./night-names.ts";

/** `helpful never checked`, or `better checked on 25 November: fit to use`. */
export function checkedWords({ scorer, at, verdict }: ReportedCheck): string {
  if (at === null || verdict === null) return `${scorer} never checked for biases`;
  return `${scorer} checked on ${dayLabel(new Date(at).getTime())}: ${verdict}`;
}
