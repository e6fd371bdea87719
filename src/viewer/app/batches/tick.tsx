import type { SetHome } from "../data/home-address.ts";
import { sideOf, ticked } from "./ticks.ts";

/** A tick before a batch or a pin: the first is the baseline, the second the candidate. */
export function Tick({ name, ticks, set }: { name: string; ticks: readonly string[]; set: SetHome }) {
  const place = ticks.findIndex((tick) => sideOf(tick).name === name);
  return (
    <label class="tick-box">
      <input
        type="checkbox"
        checked={place !== -1}
        onChange={({ currentTarget: { checked } }) => set({ ticks: ticked(ticks, name, checked) })}
      />
      <span class="unseen">Compare {name}</span>
      {place !== -1 && <span class="tick-word">{place === 0 ? "baseline" : "candidate"}</span>}
    </label>
  );
}
