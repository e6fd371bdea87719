import { secondLabel } from "../../../report/words/night-names.ts";
import type { ReportRun } from "../../../report/shape/model.ts";
import { counted } from "../../../report/words/quantity.ts";
import { durationShown, words } from "../parts/format.ts";
import { LongText } from "../parts/long-text.tsx";

/** More fold away. */
const mostInSight = 4;

/** Every attempt at an answer that took more than one: when, how long, and what became of it. */
export function AttemptList({ run }: { run: ReportRun }) {
  const { tries, attempts } = run;
  if (attempts < 2) return null;
  if (tries === undefined) return <p class="quiet">{counted(attempts, "attempt")}</p>;
  return (
    <details class="attempts" open={tries.length <= mostInSight}>
      <summary>{counted(tries.length, "attempt")}</summary>
      <ol>
        {tries.map(({ number, outcome, status, error, possiblyPaid, at, tookMs }) => (
          <li key={number} value={number}>
            <b>{words(outcome)}</b>
            {status !== null && status !== 200 && `, status ${status}`}
            {possiblyPaid && ", possibly paid"}{" "}
            <span class="quiet">
              {secondLabel(at)}, {tookMs === null ? "no reply" : `took ${durationShown(tookMs)}`}
            </span>
            {error !== null && (
              <p class="text quiet" dir="auto">
                <LongText text={error} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
