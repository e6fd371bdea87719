import type { ReportJudge, ReportTarget } from "../../../report/shape/model.ts";
import { decimal, shareFigure } from "../../../report/words/figures.ts";
import { number } from "../../../report/words/quantity.ts";
import { type Reason, reasonsOf } from "../../../report/words/reason-words.ts";
import { words } from "../parts/format.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";

/** The targets of the batch, the outcomes of their jobs, and their cost if it is known. */
export function Targets({ targets }: { targets: readonly ReportTarget[] }) {
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
            {isPriced && <Heading name="Cost" />}
            <th scope="col">Outcomes</th>
          </tr>
        </thead>
        <tbody>
          {targets.map(({ name, deployment, endpoint, exampleId, ...target }) => (
            <tr key={name}>
              <th scope="row">
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
                {Object.entries(target.outcomes)
                  .map(([outcome, jobs]) => `${words(outcome)} ${number(jobs)}`)
                  .join(", ")}
                <Reasons reasons={reasonsOf([{ name, ...target }])} />
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

/** Reasons for runs without an answer and answers without a grade, each with its count. */
function Reasons({ reasons }: { reasons: readonly Reason[] }) {
  return (
    <>
      {reasons.slice(0, mostErrors).map(({ text, jobs, example }) => (
        <p key={text} class="advice" dir="auto">
          {number(jobs)} × {text} (such as {example})
        </p>
      ))}
      {reasons.length > mostErrors && <p class="advice">and {number(reasons.length - mostErrors)} other messages</p>}
    </>
  );
}

/** The judges that graded answers, and the time and money they took. */
export function Judges({ judges }: { judges: readonly ReportJudge[] }) {
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
            <Heading name="Cost" />
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

function Heading({ name }: { name: string }) {
  return (
    <th scope="col" class="number">
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
