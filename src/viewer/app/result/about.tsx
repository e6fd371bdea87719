import { momentLabel } from "../../../report/words/night-names.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { Judges, Targets } from "./asked-whom.tsx";
import type { SetAddress } from "../data/address.ts";
import { Facts } from "../parts/facts.tsx";
import { durationShown } from "../parts/format.ts";
import { WholeFlags } from "../parts/ticked.tsx";

/** Facts about the batch: its targets, what became of the jobs, and what a reader should know. */
export function About({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const { batch, suite, state, reason, startedAt, durationMs, tandem, judges, notes } = summary;
  return (
    <div class="about">
      <section>
        <h2>Batch</h2>
        <Facts
          facts={[
            ["Batch", batch],
            ["Suite", suite],
            ["State", reason === null ? state : `${state}: ${reason}`],
            ["Started", momentLabel(startedAt)],
            ["Took", durationShown(durationMs)],
            ["Made by", `tandem ${tandem}`],
          ]}
        />
      </section>
      <Targets summary={summary} setAddress={setAddress} />
      <Judges judges={judges} />
      {notes.length > 0 && (
        <section>
          <h2>Good to know</h2>
          <ul class="notes">
            {notes.map((note) => (
              <li key={note} dir="auto">
                <WholeFlags text={note} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
