import type { PreparedBatch } from "../pipeline/prepare.ts";
import type { Suite } from "../suite/suite.ts";
import type { RunEvent } from "./events.ts";

/** What is about to be sent, for programs. */
export function plannedEvent({ batch, cases, jobs }: PreparedBatch): RunEvent {
  return { type: "planned", batch: batch.name, cases, jobs };
}

/** What is about to be sent, in one line. */
export function preparedLine({ batch, cases, jobs }: PreparedBatch, { targets, repeats, compare }: Suite): string {
  const names = targets.map(({ name }) => name).join(", ");
  const times = repeats > 1 ? `, ${repeats} times each` : "";
  const noise =
    compare !== null && compare.noiseRepeats > repeats
      ? ` (${compare.baseline} ${compare.noiseRepeats} times, to know its own noise)`
      : "";
  return `${batch.name}: ${cases} cases for ${names}${times}${noise} = ${jobs} jobs`;
}
