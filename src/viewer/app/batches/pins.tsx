import { useState } from "preact/hooks";
import type { PinEntry } from "../../api.ts";
import { tell } from "../data/server-calls.ts";
import { Pick, wholePick } from "./pick.tsx";

/** The names that later runs are compared by: each can be picked for a comparison, and taken away. */
export function Pins(given: {
  pins: PinEntry[];
  picked: string[];
  pick: (side: string) => void;
  onChange: () => void;
}) {
  const { pins, picked, pick, onChange } = given;
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
        {pins.map(({ name, batches, targets }) => (
          <li class="batch" key={name}>
            <div>
              <h2>
                <bdi>{name}</bdi>
              </h2>
              <p class="facts">
                {batches.map((batch) => (
                  <bdi key={batch}>{batch}</bdi>
                ))}
                <button type="button" class="link" onClick={() => void remove(name)}>
                  Unpin <span class="unseen">{name}</span>
                </button>
              </p>
            </div>
            <div class="filters" role="group" aria-label={`What to compare of ${name}`}>
              <Pick side={wholePick(name)} text="whole pin" picked={picked} pick={pick} />
              {targets.map((target) => (
                <Pick key={target} side={`${name}:${target}`} text={target} picked={picked} pick={pick} />
              ))}
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
