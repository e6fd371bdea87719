import { outcomeEntries, type ShownOutcome } from "../../../api/outcomes.ts";
import { momentLabel } from "../../../report/words/night-names.ts";
import type { ReportSummary, ReportJudge, ReportTarget } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { Facts } from "../parts/facts.tsx";
import { durationShown, words } from "../parts/format.ts";
import { WholeFlags } from "../parts/ticked.tsx";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { decimal, shareFigure } from "../../../report/words/figures.ts";
import { number, priceUnit } from "../../../report/words/quantity.ts";
import { reasonsOf } from "../../../report/words/reason-words.ts";
import { AndMore } from "../parts/and-more.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { ReasonList } from "../rows/reason-list.tsx";
import { RowsLink } from "../rows/rows-link.tsx";
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

/** The targets of the batch, the outcomes of their jobs, and their cost if it is known. */
function Targets({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const { targets } = summary;
  const lookOf = reportLooks(summary);
  const isExpected = targets.some(({ expected }) => expected !== null);
  const isCounted = targets.some(({ tokens }) => tokens !== null);
  const isPriced = targets.some(({ cost }) => cost !== null);
  return (
    <section>
      <h2>Targets</h2>
      <ScrollTable name="Targets">
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col">Deployment</th>
            <th scope="col">Endpoint</th>
            <th scope="col">example_id</th>
            <Heading name="Jobs" />
            <Heading name="Answered" />
            <Heading name="Cases without an answer" />
            {isExpected && <Heading name="Expected text found" />}
            {isCounted && <Heading name="Tokens" />}
            {isPriced && <Heading name="Cost" title={`Cost ${priceUnit}`} />}
            <th scope="col">Runs by outcome</th>
          </tr>
        </thead>
        <tbody>
          {targets.map(({ name, deployment, endpoint, exampleId, ...target }) => (
            <tr key={name}>
              <th scope="row">
                <TargetMark look={lookOf(name)} />
                <bdi>{name}</bdi>
              </th>
              <td>{deployment}</td>
              <td>{endpoint}</td>
              <td>{exampleId}</td>
              <td class="number">{number(target.jobs)}</td>
              <td class="number">{number(target.answered)}</td>
              <td class="number">{target.errorShare === null ? "–" : shareFigure(target.errorShare)}</td>
              {isExpected && <td class="number">{foundOf(target.expected)}</td>}
              {isCounted && <td class="number">{tokenText(target.tokens)}</td>}
              {isPriced && <td class="number">{costText(target.cost)}</td>}
              <td>
                {outcomeEntries(target.outcomes).map(([outcome, jobs], place) => (
                  <span key={outcome}>
                    {place > 0 && ", "}
                    <Outcome target={name} outcome={outcome} jobs={jobs} setAddress={setAddress} />
                  </span>
                ))}
                <Reasons target={{ name, ...target }} setAddress={setAddress} />
                {target.stopped !== null && <p class="advice">Stopped: {target.stopped}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

const mostErrors = 5;

/** The number of runs that ended in a way; of those that were not answered a way to their rows. */
function Outcome(props: { target: string; outcome: ShownOutcome; jobs: number; setAddress: SetAddress }) {
  const { target, outcome, jobs, setAddress } = props;
  const text = `${words(outcome)} ${number(jobs)}`;
  if (outcome === "answered") return text;
  return (
    <RowsLink to={{ group: rowGroup.outcome(target, outcome), sort: "rank" }} setAddress={setAddress}>
      {text}
    </RowsLink>
  );
}

type ToldTarget = Pick<ReportTarget, "name" | "errors" | "ungraded">;

/** Reasons for runs without an answer and answers without a grade, each with its count. */
function Reasons({ target, setAddress }: { target: ToldTarget; setAddress: SetAddress }) {
  const reasons = reasonsOf([target]);
  return (
    <>
      <ReasonList reasons={reasons} most={mostErrors} several={false} setAddress={setAddress} />
      <AndMore all={reasons.length} shown={mostErrors} where=" messages" />
    </>
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
          </tr>
        </thead>
        <tbody>
          {judges.map(({ name, deployment, questions, asked, failed, cost }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{deployment}</td>
              <td class="number">{number(questions)}</td>
              <td class="number">{number(asked)}</td>
              <td class="number">{number(failed)}</td>
              <td class="number">{costText(cost)}</td>
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

function foundOf(expected: ReportTarget["expected"]): string {
  return expected === null ? "–" : `${number(expected.found)} of ${number(expected.of)}`;
}

function tokenText(tokens: ReportTarget["tokens"]): string {
  return tokens === null ? "–" : `${number(tokens.input)} + ${number(tokens.output)}`;
}

function costText(cost: number | null): string {
  return cost === null ? "–" : decimal(cost, cost < 10 ? 2 : 0);
}
