import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { Worker, isMainThread } from "node:worker_threads";
import { setHeapFlags } from "../../../src/cli/start/heap-flags.ts";

/** Prints the bytes that the young generations of the main thread and of another one take after each kept much alive. */
if (isMainThread) setHeapFlags();
const kept = [];
for (let step = 0; step < 250; step++) {
  for (let at = 0; at < 2_000; at++) kept.push({ at, text: `number ${at} of ${step}`, list: [at] });
  await setTimeout(4);
}
const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
process.stdout.write(`${space.space_size}\n`);
if (isMainThread) await once(new Worker(new URL(import.meta.url)), "exit");
