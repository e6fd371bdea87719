import { hash32 } from "../lib/random.ts";

/**
 * The place of a cluster in the seeded order of sending: an integer below 2^48.
 * The same seed gives the same order on every machine and for every subset of the clusters.
 */
export function clusterRank(seed: string | number, cluster: string): number {
  const high = mix(hash32(`${seed} ${cluster}`));
  const low = mix(hash32(`${cluster} ${seed}`) ^ high);
  return (high & 0xffff) * 4_294_967_296 + low;
}

/** murmur3's finaliser: texts that differ in their last character alone end far apart. */
function mix(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
