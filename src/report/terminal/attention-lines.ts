import type { Paint } from "./paint.ts";
import { counted, number } from "../words/quantity.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { RunSummary } from "../shape/run-summary.ts";
import { visible } from "../text/visible.ts";
import { fit } from "../text/width.ts";

const mostStops = 6;

/**
 * Lines that need a person's attention: stops with their reasons, requests in doubt, and runs that may have been paid.
 */
export function attentionLines(
  summary: RunSummary,
  { possiblyPaidTwice }: Pick<ReportSummary, "possiblyPaidTwice">,
  { width, color }: { width: number; color: Paint },
): string[] {
  return [
    ...stopLines(summary, width, color),
    ...serviceLines(summary),
    ...doubtLines(summary),
    ...paidLines(summary, possiblyPaidTwice),
  ];
}

function stopLines({ stopped: all, reason: told }: RunSummary, width: number, color: Paint): string[] {
  // A stop of everything, such as an interrupt, is told beside the name of the batch.
  const stopped = all.filter(({ reason, advice }) => advice !== null || reason !== told);
  const lines = stopped.slice(0, mostStops).flatMap(({ name, reason, advice }) => {
    // The advice is not cut: it is there to be followed.
    const hint = advice === null ? [] : [`    ${visible(advice)}`];
    return [fit(`  ${visible(name)}: ${visible(reason)}`, width), ...hint];
  });
  if (stopped.length > mostStops) lines.push(`  and ${stopped.length - mostStops} more`);
  return lines.length === 0 ? [] : [color("red", "Stopped"), ...lines];
}

function serviceLines({ inDoubt: { atService, reattached } }: RunSummary): string[] {
  const open =
    atService === 0
      ? []
      : [`At the service: ${counted(atService, "run")}; a resume asks for them, and sends nothing again`];
  if (reattached === 0) return open;
  return [...open, `Asked for by a later process: ${counted(reattached, "run")}, which were not sent again`];
}

function doubtLines({ inDoubt }: RunSummary): string[] {
  const { open, held, failed, cases } = inDoubt;
  const jobs = open + held + failed;
  if (jobs === 0) return [];
  const what = [
    open > 0 ? `${open} in flight when it ended` : "",
    held > 0 ? `${held} held back` : "",
    failed > 0 ? `${failed} given up` : "",
  ].filter((part) => part !== "");
  const more = jobs > cases.length ? ", ..." : "";
  return [`In doubt: ${counted(jobs, "job")} (${what.join(", ")}): ${cases.map(visible).join(", ")}${more}`];
}

function paidLines(
  { comparison, possiblyPaid: { gateway, other } }: RunSummary,
  { cases, judges }: ReportSummary["possiblyPaidTwice"],
): string[] {
  const jobs = comparison.targets.reduce((sum, target) => sum + target.possiblyPaid, 0);
  const after = gateway === 0 ? "" : `${number(gateway)} after an answer of a gateway, ${number(other)} after others`;
  const toJudges = judges === 0 ? "" : cases === 0 ? "to judges" : `${number(judges)} of them to judges`;
  const about = [toJudges, after].filter((part) => part !== "").join("; ");
  const requests = `${counted(cases + judges, "request")}${about === "" ? "" : ` (${about})`}`;
  return [
    ...(jobs === 0 ? [] : [`Possibly paid without a record: ${counted(jobs, "job")}`]),
    ...(cases + judges === 0 ? [] : [`Possibly paid twice: ${requests}`]),
  ];
}
