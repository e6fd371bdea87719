import type { ReportSummary, ValidityCheck } from "../../../report/shape/model.ts";
import { number } from "../../../report/words/quantity.ts";
import { validityHeading } from "../../../report/words/validity-words.ts";
import { Ticked } from "../parts/ticked.tsx";

/** Checks that tell if the comparison is valid, with their reasons. */
export function ValidityView({ summary }: { summary: ReportSummary }) {
  const { validity, verdict } = summary;
  const { state, checks, isPartial = false } = validity;
  const failing = checks.filter(({ ok }) => !ok);
  const [first] = failing;
  // A single reason stands in the verdict.
  const isTold = checks.length === 1 && first !== undefined && verdict.sentence.includes(first.text.replace(/\.$/, ""));
  if ((checks.length === 0 || isTold) && summary.cautions.length === 0) return null;
  const holding = checks.filter(({ ok }) => ok);
  return (
    <div class={`validity ${state}`}>
      <h2>{validityHeading({ state, isPartial, hasChecks: checks.length > 0 && !isTold })}</h2>
      {failing.length > 0 && !isTold && <Checks checks={failing} />}
      {summary.cautions.length > 0 && (
        <ul class="cautions">
          {summary.cautions.map((text) => (
            <li key={text}>
              <span aria-hidden="true">!</span>
              <span dir="auto">
                <Ticked text={text} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {holding.length > 0 && (
        <details>
          <summary>
            {holding.length === 1
              ? "the check holds"
              : `${failing.length === 0 ? "all " : ""}${number(holding.length)} checks hold`}
          </summary>
          <Checks checks={holding} />
        </details>
      )}
    </div>
  );
}

function Checks({ checks }: { checks: ValidityCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul>
      {checks.map(({ ok, text }) => (
        <li key={text} class={ok ? "ok" : "not-ok"}>
          <span aria-hidden="true">{ok ? "✓" : "!"}</span>
          <span class="unseen">{ok ? "holds: " : "does not hold: "}</span>
          <span dir="auto">
            <Ticked text={text} />
          </span>
        </li>
      ))}
    </ul>
  );
}
