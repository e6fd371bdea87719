import { dateOffset, steadyNow } from "../../lib/clock.ts";
import type { SpansSent } from "../../app/spans/send-spans.ts";
import { counted, number } from "../../report/say/quantity.ts";
import type { Terminal } from "../terminal.ts";

/** The most time that the end of a run takes for spans. */
const mostMs = 10_000;

/**
 * Checks where spans go before anything is sent, and gives what sends those of this process in the end. A collector that
 * takes none changes neither the run nor its exit code. Throws USAGE and KEY_INSECURE.
 */
export async function openSpans(
  { otel, results: out }: { otel?: string | undefined; results: string },
  terminal: Terminal,
): Promise<(batch: string) => Promise<void>> {
  if (otel === undefined) return async () => {};
  const { collectorOf } = await import("../../app/spans/collector.ts");
  const collector = collectorOf(otel, process.env);
  const [date, moment] = [Date.now(), steadyNow()];
  return async (batch) => {
    // Where the clock was set back meanwhile, later requests bear earlier dates: from when this would have begun by it.
    const since = Math.min(date, Math.floor(moment + dateOffset()));
    try {
      const { sendSpans } = await import("../../app/spans/send-spans.ts");
      tellSpans(await sendSpans({ out, batch, since, collector, mostMs }), terminal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      terminal.warn(`no spans were sent: ${reason}`);
    }
  };
}

/** Says how many spans and grades arrived, and how the rest can be sent. */
export function tellSpans({ grades, ...spans }: SpansSent, terminal: Terminal): void {
  const kinds = [{ noun: "span", ...spans }, ...(grades === null ? [] : [{ noun: "grade", ...grades }])];
  const whole = kinds.filter(({ dropped, reason }) => dropped === 0 && reason === null);
  const all = whole.map(({ noun, sent }) => counted(sent, noun)).join(" and ");
  if (all !== "") terminal.note(`${all} sent to OpenTelemetry.`);
  if (grades?.dropped === 0 && grades.reason !== null)
    terminal.note(`No grades were sent: the collector takes no events (${grades.reason}).`);
  for (const { noun, sent, dropped, reason } of kinds.filter((kind) => kind.dropped > 0)) {
    const why = reason === null ? "" : ` (${reason})`;
    terminal.warn(
      `${number(dropped)} of ${counted(sent + dropped, noun)} were not taken${why}. All of them are in the database: tandem send spans ${spans.batch}`,
    );
  }
}
