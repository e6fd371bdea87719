import type { ReportSummary } from "../../report/model.ts";
import { Judges, Targets } from "./asked-whom.tsx";
import { duration, instant } from "./format.ts";

/** Facts about the batch: its targets, what became of the jobs, and what a reader should know. */
export function About({ summary }: { summary: ReportSummary }) {
  const { batch, suite, state, reason, startedAt, durationMs, tandem, targets, judges, notes } = summary;
  return (
    <div class="about">
      <section>
        <h2>Batch</h2>
        <dl class="facts-list">
          <Fact name="Batch" value={batch} />
          <Fact name="Suite" value={suite} />
          <Fact name="State" value={reason === null ? state : `${state}: ${reason}`} />
          <Fact name="Started" value={instant(startedAt)} />
          <Fact name="Took" value={duration(durationMs)} />
          <Fact name="Made by" value={`tandem ${tandem}`} />
        </dl>
      </section>
      <Targets targets={targets} />
      <Judges judges={judges} />
      {notes.length > 0 && (
        <section>
          <h2>Good to know</h2>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note} dir="auto">
                {note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}
