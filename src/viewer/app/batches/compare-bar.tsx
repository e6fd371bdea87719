import type { SetHome } from "../data/home-address.ts";
import { comparisonAddress, type KnownSides, type TickedSide, tickName, sideOf, tickOf } from "./ticks.ts";

/** The two sides that are ticked, at the foot of the window for as long as there is one. */
export function CompareBar({ ticks, known, set }: { ticks: readonly string[]; known: KnownSides; set: SetHome }) {
  const [baseline, candidate] = ticks.map(sideOf);
  if (baseline === undefined) return null;
  const change = (place: number, side: TickedSide): void =>
    set({ ticks: ticks.map((tick, at) => (at === place ? tickOf(side) : tick)) });
  const warning = candidate === undefined ? null : suitesWarning(known, baseline, candidate);
  return (
    <section class="compare-bar" aria-label="Comparison">
      <div class="compare-sides">
        <Ticked label="Baseline" side={baseline} known={known} change={(side) => change(0, side)} />
        {candidate === undefined ? (
          <Another side={baseline} known={known} set={set} />
        ) : (
          <>
            <button type="button" class="plain" onClick={() => set({ ticks: ticks.toReversed() })}>
              <span aria-hidden="true">⇄</span> Swap
            </button>
            <Ticked label="Candidate" side={candidate} known={known} change={(side) => change(1, side)} />
          </>
        )}
      </div>
      <p class="compare-acts">
        {candidate !== undefined && !isSame(baseline, candidate) && (
          <a class="go" href={comparisonAddress(baseline, candidate)}>
            Compare
          </a>
        )}
        <button type="button" class="link" onClick={() => set({ ticks: [] })}>
          Clear
        </button>
      </p>
      {warning !== null && (
        <p class="compare-warning" role="status">
          <span aria-hidden="true">▲ </span>
          {warning}
        </p>
      )}
    </section>
  );
}

function isSame(one: TickedSide, other: TickedSide): boolean {
  return one.name === other.name && (one.target === null || other.target === null || one.target === other.target);
}

/** Batches of two suites may share no case: that is said before somebody waits for it. */
function suitesWarning(known: KnownSides, baseline: TickedSide, candidate: TickedSide): string | null {
  if (isSame(baseline, candidate)) return "Both sides are the same: choose another target, or tick another batch.";
  const [from, to] = [known.get(baseline.name)?.suite ?? null, known.get(candidate.name)?.suite ?? null];
  if (from === null || to === null || from === to) return null;
  return `These are of different suites, ${from} and ${to}: only rows with the same key are compared.`;
}

function Ticked(props: { label: string; side: TickedSide; known: KnownSides; change: (side: TickedSide) => void }) {
  const { label, side, known, change } = props;
  const targets = known.get(side.name)?.targets ?? [];
  const shown = tickName(known, side.name);
  return (
    <div class="compare-side">
      <span class="quiet">{label}</span>{" "}
      <bdi class="compare-name" title={side.name}>
        {shown}
      </bdi>
      {(targets.length > 1 || side.target !== null) && (
        <select
          aria-label={`${label}: target of ${shown}`}
          value={side.target ?? ""}
          onChange={({ currentTarget: { value } }) => change({ ...side, target: value === "" ? null : value })}
        >
          <option value="">all targets</option>
          {targets.map((target) => (
            <option key={target} value={target}>
              {target}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** The way to two targets of one batch, and a word for those who want another batch. */
function Another({ side, known, set }: { side: TickedSide; known: KnownSides; set: SetHome }) {
  const [first, second] = known.get(side.name)?.targets ?? [];
  return (
    <span class="quiet">
      Tick a second batch
      {first !== undefined && second !== undefined && (
        <>
          , or{" "}
          <button
            type="button"
            class="link"
            onClick={() => set({ ticks: [first, second].map((target) => tickOf({ name: side.name, target })) })}
          >
            compare two of its targets
          </button>
        </>
      )}
    </span>
  );
}
