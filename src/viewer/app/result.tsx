import type { GateState, ReportSummary, VerdictState } from "../../report/model.ts";
import type { SetAddress } from "./app.tsx";
import { Gates } from "./gates.tsx";
import { Changes } from "./changes.tsx";
import type { Source } from "./source.ts";

/** The answer that a person came for: fine or not, how sure, and whether it can be believed. */
export function Result({
  source,
  candidate,
  setAddress,
}: {
  source: Source;
  candidate: number;
  setAddress: SetAddress;
}) {
  const { summary } = source;
  const { verdict } = summary;
  return (
    <section class={`result ${verdict.state}`} aria-labelledby="verdict">
      <StateMark state={verdict.state} />
      <h1 id="verdict" dir="auto">
        {verdict.sentence}
      </h1>
      {verdict.details.length > 0 && (
        <div class="details">
          {verdict.details.map((line) => (
            <p key={line} dir="auto">
              {line}
            </p>
          ))}
        </div>
      )}
      <Gates summary={summary} />
      <Validity validity={summary.validity} />
      <Changes source={source} candidate={candidate} setAddress={setAddress} />
    </section>
  );
}

const stateNames: Record<VerdictState, string> = {
  regression: "Regression",
  pass: "Pass",
  inconclusive: "Inconclusive",
  invalid: "Invalid",
  none: "No comparison",
};

const stateSigns: Record<VerdictState, string> = {
  regression: "▼",
  pass: "✓",
  inconclusive: "?",
  invalid: "!",
  none: "·",
};

/** A state as sign, word and colour: never colour alone. */
export function StateMark({ state }: { state: GateState | VerdictState }) {
  return (
    <p class={`state ${state}`}>
      <span aria-hidden="true">{stateSigns[state]}</span> {stateNames[state]}
    </p>
  );
}

function Validity({ validity }: { validity: ReportSummary["validity"] }) {
  const { state, checks } = validity;
  if (state === "unknown" && checks.length === 0) return null;
  return (
    <div class="validity">
      <h2>{state === "invalid" ? "Not to be believed as it is" : state === "valid" ? "Can be believed" : "Checks"}</h2>
      <ul>
        {checks.map(({ ok, text }) => (
          <li key={text} class={ok ? "ok" : "not-ok"}>
            <span aria-hidden="true">{ok ? "✓" : "!"}</span>
            <span class="unseen">{ok ? "holds: " : "does not hold: "}</span>
            <span dir="auto">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
