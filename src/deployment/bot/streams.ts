import { type Random, hash32, seededRandom } from "../../lib/random.ts";

const counters = 65_536;

/**
 * Streams of random numbers, one per run. The nth run of the same text always gets the same stream after a fresh
 * start, in whatever order other texts arrive; the runs of one text differ. Memory is bounded: texts share counters
 * by their hash.
 */
export function runStreams(seed: string | number): (text: string) => Random {
  const runs = new Uint32Array(counters);
  return (text) => {
    const hash = hash32(text);
    const slot = hash % counters;
    const count = (runs[slot] ?? 0) + 1;
    runs[slot] = count;
    return seededRandom(`${seed}:${hash}:${count}`);
  };
}
