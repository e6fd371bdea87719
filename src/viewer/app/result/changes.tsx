import type { ChangeKind, ReportFlip } from "../../../report/shape/model.ts";
import type { Show, SetAddress } from "../data/address.ts";
import { number } from "../../../report/words/quantity.ts";
import { kindWords } from "../../../report/words/change-words.ts";
import { showRows } from "../parts/show-rows.ts";
import type { Source } from "../data/source.ts";
import { Ticked } from "../parts/ticked.tsx";

const kindOrder: ChangeKind[] = [
  "error-appeared",
  "error-gone",
  "changed",
  "newly-flaky",
  "newly-stable",
  "differs",
  "within-noise",
  "same",
  "not-compared",
];

/** Rows that a click on a kind of change leads to. */
const shows: Partial<Record<ChangeKind, Show>> = {
  "error-appeared": "errors",
  "error-gone": "errors",
  changed: "changed",
  differs: "different",
  "newly-flaky": "flaky",
  "newly-stable": "flaky",
};

/**
 * Behaviour of the candidate compared with the baseline: newly failing and newly passing rows, and kinds of change over
 * all cases.
 */
export function Changes(given: { source: Source; candidate: number; setAddress: SetAddress }) {
  const { source, candidate, setAddress } = given;
  const { summary } = source;
  const name = summary.candidates[candidate];
  const behaviour = summary.behaviour.find((each) => each.candidate === name);
  if (behaviour === undefined) return null;
  const kinds = kindOrder.filter((kind) => (behaviour.kinds[kind] ?? 0) > 0);
  const sum = kinds.reduce((all, kind) => all + (behaviour.kinds[kind] ?? 0), 0);
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Does it behave differently?</h2>
      <p dir="auto">
        <Ticked text={behaviour.sentence} />
      </p>
      <details class="method">
        <summary>How it was measured</summary>
        <p dir="auto">
          <Ticked text={behaviour.measured} />
        </p>
      </details>
      <div class="bar" aria-hidden="true">
        {kinds.map((kind) => (
          <span
            key={kind}
            class={`kind-${kind}`}
            style={{ flexGrow: (behaviour.kinds[kind] ?? 0) / (sum || 1) }}
            title={kindWords(kind)}
          />
        ))}
      </div>
      <ul class="kinds">
        {kinds.map((kind) => {
          const show = shows[kind];
          const text = (
            <>
              <i class={`swatch kind-${kind}`} aria-hidden="true" />
              {kindWords(kind)} <b>{number(behaviour.kinds[kind] ?? 0)}</b>
            </>
          );
          return (
            <li key={kind}>
              {show === undefined ? (
                text
              ) : (
                <button type="button" class="link" onClick={() => showRows(setAddress, { show })}>
                  {text}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <Flips flips={summary.flips.filter((flip) => flip.candidate === name && flip.cases > 0)} />
    </section>
  );
}

const flipNames: Partial<Record<ReportFlip["kind"], string>> = {
  "pass-to-fail": "pass → fail",
  "fail-to-pass": "fail → pass",
};

/** Newly failing and newly passing rows; errors and flaky rows stand among the kinds of change. */
function Flips({ flips }: { flips: ReportFlip[] }) {
  const told = flips.filter(({ kind }) => flipNames[kind] !== undefined);
  if (told.length === 0) return null;
  return (
    <p class="flips">
      {told.map(({ kind, metric, cases }) => (
        <span key={`${kind} ${metric}`}>
          {flipNames[kind]} <b>{number(cases)}</b>{" "}
        </span>
      ))}
      {told[0]?.metric !== null && (
        <span class="quiet">
          on <bdi>{told[0]?.metric}</bdi>, in all runs
        </span>
      )}
    </p>
  );
}
