import type { ReportSummary } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { Alarms } from "../charts/alarms.tsx";
import { CandidateChoice } from "./candidate-choice.tsx";
import { Changes } from "./changes.tsx";
import { FirstRows } from "../rows/first-rows.tsx";
import { Gates, OtherMetrics } from "../gates/gates.tsx";
import { OutputFields } from "./output-fields.tsx";
import type { Source } from "../data/source.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { Ticked } from "../parts/ticked.tsx";
import { worstSlices } from "../../../report/model/slice-decision.ts";
import { Alone } from "./alone.tsx";
import { WorstSlices } from "./worst-slices.tsx";
import { ValidityView } from "../gates/validity.tsx";

/**
 * The answers a person comes for, on one screen: is it fine, can I rely on it, how sure is it, what changed, and which
 * rows to look at first. Explanations follow below.
 */
export function Result(given: { source: Source; version: number; candidate: number; setAddress: SetAddress }) {
  const { source, candidate, setAddress } = given;
  const { summary } = source;
  const { verdict } = summary;
  return (
    <section class={`result ${verdict.state}`} aria-labelledby="verdict">
      <StateMark state={verdict.state} />
      <Headline sentence={verdict.sentence} />
      <Details summary={summary} candidate={candidate} />
      <WorstSlices summary={summary} candidate={candidate} setAddress={setAddress} />
      <Alarms alarms={summary.alarms} />
      <Next next={summary.next} />
      <ValidityView summary={summary} />
      <Gates summary={summary} setAddress={setAddress} />
      {summary.candidates.length === 0 && <Alone source={source} setAddress={setAddress} />}
      {summary.candidates.length > 0 && (
        <>
          <CandidateChoice summary={summary} candidate={candidate} setAddress={setAddress} />
          <div class="overview">
            <Changes source={source} candidate={candidate} setAddress={setAddress} />
            <FirstRows {...given} />
          </div>
          <div class="overview explains">
            <OtherMetrics summary={summary} candidate={candidate} setAddress={setAddress} />
            <OutputFields summary={summary} candidate={candidate} setAddress={setAddress} />
          </div>
        </>
      )}
    </section>
  );
}

/** Number of characters of a sentence that are read at a glance. */
const glance = 80;

/** The verdict, large; the evidence that a long one holds in brackets stays legible below it. */
function Headline({ sentence }: { sentence: string }) {
  const at = sentence.length <= glance ? -1 : sentence.indexOf(" (");
  const isLong = (at === -1 ? sentence.length : at) > glance * 0.7;
  return (
    <h1 id="verdict" class={isLong ? "long" : ""} dir="auto">
      <Ticked text={at === -1 ? sentence : sentence.slice(0, at)} />
      {at !== -1 && (
        <span class="evidence">
          <Ticked text={sentence.slice(at)} />
        </span>
      )}
    </h1>
  );
}

/** The one thing to do next. */
function Next({ next }: Pick<ReportSummary, "next">) {
  if (next === null) return null;
  return (
    <p class="next" dir="auto">
      Next: {next.why}: <code>{next.command}</code>
    </p>
  );
}

/** The reasons behind the verdict, without those that gates and checks tell themselves. */
function Details({ summary, candidate: shown }: { summary: ReportSummary; candidate: number }) {
  const { verdict, gates, validity, slices, metrics } = summary;
  // These are a list below, which leads to their rows.
  const hasWorst = worstSlices(slices, summary.candidates[shown] ?? "", metrics).length > 0;
  const told = new Set(validity.checks.map(({ text }) => text));
  const isGate = (line: string): boolean =>
    gates.some(
      ({ metric, candidate, advice }) =>
        line === advice || line.startsWith(`${metric}: `) || line.startsWith(`${candidate}, ${metric}: `),
    );
  const lines = verdict.details.filter(
    (line) => !told.has(line) && !isGate(line) && !(hasWorst && /^Worst[: ]/.test(line)),
  );
  if (lines.length === 0) return null;
  return (
    <div class="details">
      {lines.map((line) => (
        <p key={line} dir="auto">
          <Ticked text={line} />
        </p>
      ))}
    </div>
  );
}
