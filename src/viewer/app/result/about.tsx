import { targetTable } from "../../../report/doc/target-table.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import { checkedWords } from "../../../report/say/judges.ts";
import type { ReportSummary, ReportJudge } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";
import { Facts } from "../parts/facts.tsx";
import { durationShown } from "../parts/format.ts";
import { WholeFlags } from "../parts/whole-flags.tsx";
import { decimal } from "../../../report/say/figures.ts";
import { number, priceUnit } from "../../../report/say/quantity.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";

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
            ["Started", momentLabel(Date.parse(startedAt))],
            ["Took", durationShown(durationMs)],
            ["Made by", `tandem ${tandem}`],
          ]}
        />
      </section>
      <section>
        <h2>Targets</h2>
        <DocTableView table={targetTable(summary)} {...{ summary, setAddress }} />
      </section>
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

/** The judges that graded answers, and the time and money they took. */
function Judges({ judges }: { judges: readonly ReportJudge[] }) {
  if (judges.length === 0) return null;
  return (
    <section>
      <h2>Judges</h2>
      <ScrollTable name="Judges">
        <thead>
          <tr>
            <th scope="col">Judge</th>
            <th scope="col">Deployment</th>
            <Heading name="Questions" />
            <Heading name="Asked this time" />
            <Heading name="Without a reply" />
            <Heading name="Cost" title={`Cost ${priceUnit}`} />
            <th scope="col">Checked for biases</th>
          </tr>
        </thead>
        <tbody>
          {judges.map(({ name, deployment, questions, asked, failed, cost, checks }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{deployment}</td>
              <td class="number">{number(questions)}</td>
              <td class="number">{number(asked)}</td>
              <td class="number">{number(failed)}</td>
              <td class="number">{costText(cost)}</td>
              <td>
                <bdi>{checks.map(checkedWords).join("; ")}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

function Heading({ name, title }: { name: string; title?: string }) {
  return (
    <th scope="col" class="number" title={title}>
      {name}
    </th>
  );
}

function costText(cost: number | null): string {
  return cost === null ? "–" : decimal(cost, cost < 10 ? 2 : 0);
}
