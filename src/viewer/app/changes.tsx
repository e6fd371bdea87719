import type { ChangeKind } from "../../report/model.ts";
import type { Show } from "./address.ts";
import type { SetAddress } from "./app.tsx";
import { pValue } from "../../report/figures.ts";
import { count, words } from "./format.ts";
import type { Source } from "./source.ts";

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

/** Where a click on a kind of change leads. */
const shows: Partial<Record<ChangeKind, Show>> = {
  "error-appeared": "errors",
  "error-gone": "errors",
  changed: "changed",
  differs: "different",
  "newly-flaky": "flaky",
  "newly-stable": "flaky",
};

/** Whether the candidate behaves differently at all: kinds of change over all cases, and the members that differ. */
export function Changes(given: { source: Source; candidate: number; setAddress: SetAddress }) {
  const { source, candidate, setAddress } = given;
  const { summary } = source;
  const name = summary.candidates[candidate];
  const behaviour = summary.behaviour.find((each) => each.candidate === name);
  const members = summary.members.filter((each) => each.candidate === name);
  if (behaviour === undefined) return null;
  const kinds = kindOrder.filter((kind) => (behaviour.kinds[kind] ?? 0) > 0);
  const sum = kinds.reduce((all, kind) => all + (behaviour.kinds[kind] ?? 0), 0);
  return (
    <div class="changes">
      <div>
        <h2>Does it behave differently?</h2>
        <p dir="auto">{behaviour.sentence}</p>
        <div class="bar" aria-hidden="true">
          {kinds.map((kind) => (
            <span
              key={kind}
              class={`kind-${kind}`}
              style={{ flexGrow: (behaviour.kinds[kind] ?? 0) / (sum || 1) }}
              title={words(kind)}
            />
          ))}
        </div>
        <ul class="kinds">
          {kinds.map((kind) => {
            const show = shows[kind];
            const text = (
              <>
                <i class={`swatch kind-${kind}`} aria-hidden="true" />
                {words(kind)} <b>{count(behaviour.kinds[kind] ?? 0)}</b>
              </>
            );
            return (
              <li key={kind}>
                {show === undefined ? (
                  text
                ) : (
                  <button type="button" class="link" onClick={() => setAddress({ view: "rows", show })}>
                    {text}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      {members.length > 0 && (
        <div>
          <h2>Members that differ</h2>
          <table class="small">
            <thead>
              <tr>
                <th scope="col">Member of output</th>
                <th scope="col" class="number">
                  Cases
                </th>
                <th scope="col" class="number">
                  Own noise
                </th>
                <th scope="col" class="number">
                  p
                </th>
              </tr>
            </thead>
            <tbody>
              {members.slice(0, 8).map(({ path, about, cases, of, noise, p }) => (
                <tr key={path}>
                  <td>
                    <code>{path}</code> <span class="quiet">{about}</span>
                  </td>
                  <td class="number">
                    {count(cases)} of {count(of)}
                  </td>
                  <td class="number">{noise === null ? "–" : count(noise)}</td>
                  <td class="number">{pValue(p)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {members.length > 8 && <p class="quiet">and {count(members.length - 8)} more: see the rows.</p>}
        </div>
      )}
    </div>
  );
}
