import type { ReportSummary } from "../shape/model.ts";
import { counted, number } from "./quantity.ts";

/** Runs that may have been paid although no record of them came, and requests that may have been paid a second time; empty: none. */
export function paidWords(
  { possiblyPaid = 0, possiblyPaidTwice: { cases, judges } }: Pick<ReportSummary, "possiblyPaid" | "possiblyPaidTwice">,
  after = "",
): string[] {
  const toJudges = judges === 0 ? "" : cases === 0 ? "to judges" : `${number(judges)} of them to judges`;
  const about = [toJudges, after].filter((part) => part !== "").join("; ");
  const requests = `${counted(cases + judges, "request")}${about === "" ? "" : ` (${about})`}`;
  return [
    ...(possiblyPaid === 0 ? [] : [`Possibly paid without a record: ${counted(possiblyPaid, "job")}`]),
    ...(cases + judges === 0 ? [] : [`Possibly paid twice: ${requests}`]),
  ];
}
