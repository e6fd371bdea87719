import type { ReportSummary } from "../../report/model.ts";
import { share } from "../../report/figures.ts";
import { count, duration, instant, words } from "./format.ts";
import { ScrollTable } from "./scroll-table.tsx";

/** Facts about the batch: its targets, what became of the jobs, and what a reader should know. */
export function About({ summary }: { summary: ReportSummary }) {
  const { batch, suite, state, reason, startedAt, durationMs, tandem, targets, notes } = summary;
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
      <section>
        <h2>Targets</h2>
        <ScrollTable name="Targets">
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Deployment</th>
              <th scope="col">Endpoint</th>
              <th scope="col">example_id</th>
              <th scope="col" class="number">
                Jobs
              </th>
              <th scope="col" class="number">
                Without an answer
              </th>
              <th scope="col">Outcomes</th>
            </tr>
          </thead>
          <tbody>
            {targets.map((target) => (
              <tr key={target.name}>
                <th scope="row">
                  <bdi>{target.name}</bdi>
                </th>
                <td>{target.deployment}</td>
                <td>{target.endpoint}</td>
                <td>{target.exampleId}</td>
                <td class="number">{count(target.jobs)}</td>
                <td class="number">{target.errorShare === null ? "–" : share(target.errorShare)}</td>
                <td>
                  {Object.entries(target.outcomes)
                    .map(([outcome, jobs]) => `${words(outcome)} ${count(jobs)}`)
                    .join(", ")}
                  {target.stopped !== null && <p class="advice">Stopped: {target.stopped}</p>}
                </td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      </section>
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
