import type { CaseChange } from "../../../compare/cases/case-kinds.ts";
import type { ReportFlip } from "../../../report/shape/model.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { SetAddress } from "../data/address.ts";
import { behaviourWords } from "../../../report/say/findings.ts";
import { capitalised, number } from "../../../report/say/quantity.ts";
import { flipBasis, flipWords, kindWords } from "../../../report/say/changes.ts";
import { RowsLink } from "../parts/rows-link.tsx";
import type { Source } from "../data/source.ts";
import { Ticked } from "../parts/ticked.tsx";

const kindOrder: CaseChange[] = [
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

/**
 * Behaviour of the candidate compared with the baseline: kinds of change over all cases, newly failing and newly passing
 * rows.
 */
export function Changes(props: { source: Source; candidate: number; setAddress: SetAddress }) {
  const { source, candidate, setAddress } = props;
  const { summary } = source;
  const name = summary.candidates[candidate] ?? null;
  const behaviour = summary.behaviour.find((each) => each.candidate === name);
  if (behaviour === undefined) return null;
  // Nothing got better or worse where the data are not complete.
  const isInvalid = summary.verdict.state === "invalid";
  const kinds = kindOrder.filter((kind) => (behaviour.kinds[kind] ?? 0) > 0);
  const sum = kinds.reduce((all, kind) => all + (behaviour.kinds[kind] ?? 0), 0);
  return (
    <section class="changes" aria-labelledby="changes">
      <h2 id="changes">Does it behave differently?</h2>{" "}
      <p dir="auto">
        <Ticked text={`${capitalised(behaviourWords(behaviour, summary))}.`} />
      </p>
      <div class="facts-line">
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
            const text = (
              <>
                <i class={`swatch kind-${kind}`} aria-hidden="true" />
                {kindWords(kind)} <b>{number(behaviour.kinds[kind] ?? 0)}</b>
              </>
            );
            return (
              <li key={kind}>
                <RowsLink to={{ target: name, group: rowGroup.change(kind) }} setAddress={setAddress}>
                  {text}
                </RowsLink>
              </li>
            );
          })}
        </ul>
        {!isInvalid && (
          <Flips
            flips={summary.flips.filter((flip) => flip.candidate === name && flip.cases > 0)}
            basis={flipBasis(summary)}
            setAddress={setAddress}
          />
        )}
      </div>
    </section>
  );
}

const toldFlips: ReadonlySet<ReportFlip["kind"]> = new Set(["pass-to-fail", "fail-to-pass"]);

/** Newly failing and newly passing rows; errors and flaky rows stand among the kinds of change. */
function Flips(props: { flips: ReportFlip[]; basis: string | null; setAddress: SetAddress }) {
  const { flips, basis, setAddress } = props;
  const reported = flips.filter(({ kind }) => toldFlips.has(kind));
  if (reported.length === 0) return null;
  return (
    <p class="flips">
      {reported.map(({ candidate, kind, metric, cases }) => (
        <span key={`${kind} ${metric}`}>
          <RowsLink to={{ target: candidate, group: rowGroup.flip(kind), sort: "rank" }} setAddress={setAddress}>
            {flipWords[kind]} <b>{number(cases)}</b>
          </RowsLink>{" "}
        </span>
      ))}
      {reported[0]?.metric !== null && (
        <span class="quiet">
          by <bdi>{reported[0]?.metric}</bdi>
          {basis !== null && <>; {basis}</>}
        </span>
      )}
    </p>
  );
}
