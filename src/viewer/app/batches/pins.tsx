import { useState } from "preact/hooks";
import type { PinEntry } from "../../api.ts";
import { tell } from "../data/server-calls.ts";
import { Tick } from "./tick.tsx";
import { type KnownSides, type SetTick, tickName } from "./ticks.ts";

/** The names that later runs are compared by: each can be picked for a comparison, and taken away. */
export function Pins(given: {
  pins: PinEntry[];
  known: KnownSides;
  ticks: readonly string[];
  setTick: SetTick;
  onChange: () => void;
}) {
  const { pins, known, ticks, setTick, onChange } = given;
  const [said, say] = useState("");
  const remove = async (name: string): Promise<void> => {
    try {
      await tell("pins", { name }, "DELETE");
      say(`${name} names nothing any more; its batches are still there.`);
      onChange();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <details class="pins">
      <summary>Pins ({pins.length})</summary>
      <ul class="batch-list">
        {pins.map(({ name, batches }) => (
          <li class="pinned" key={name}>
            <Tick name={name} shown={name} ticks={ticks} setTick={setTick} />
            <div>
              <h3>
                <bdi>{name}</bdi>
              </h3>
              <p class="facts">
                {batches.map((batch) => (
                  <bdi key={batch} title={batch}>
                    {tickName(known, batch)}
                  </bdi>
                ))}
                <button type="button" class="link" onClick={() => void remove(name)}>
                  Unpin <span class="unseen">{name}</span>
                </button>
              </p>
            </div>
          </li>
        ))}
      </ul>
      <p role="status" class="quiet">
        {said}
      </p>
    </details>
  );
}
