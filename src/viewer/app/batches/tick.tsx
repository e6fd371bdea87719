import { type SetTick, sideOf } from "./ticks.ts";

/** A tick before a batch or a pin, with the side that it is on. */
export function Tick(props: { name: string; shown: string; ticks: readonly string[]; setTick: SetTick }) {
  const { name, shown, ticks, setTick } = props;
  const place = ticks.findIndex((tick) => sideOf(tick).name === name);
  return (
    <label class="tick-box">
      <input
        type="checkbox"
        checked={place !== -1}
        onChange={({ currentTarget: { checked } }) => setTick(name, checked)}
      />
      <span class="unseen">Compare {shown}</span>
      {place !== -1 && <span class="tick-word">{place === 0 ? "baseline" : "candidate"}</span>}
    </label>
  );
}
