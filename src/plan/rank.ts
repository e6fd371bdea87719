import { hash32, mix32 } from "../lib/random.ts";

/**
 * The place of a cluster in the seeded order of sending: an integer below 2^48.
 * The same seed gives the same order on every machine and for every subset of the clusters.
 */
export function clusterRank(seed: string | number, cluster: string): number {
  const high = mix32(hash32(`${seed} ${cluster}`));
  const low = mix32(hash32(`${cluster} ${seed}`) ^ high);
  return (high & 0xffff) * 4_294_967_296 + low;
}
