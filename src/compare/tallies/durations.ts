/** Durations of any number in bounded memory: counts per bucket, each bucket 2 % wide. */
export interface Durations {
  add: (milliseconds: number) => void;
  count: () => number;
  /**
   * The duration below which a share of all lies (nearest rank), exact for up to 1,000 of them and within 1 % beyond.
   * Null when there are none.
   */
  quantile: (share: number) => number | null;
}

const relativeError = 0.01;
const growth = (1 + relativeError) / (1 - relativeError);
const shortest = 0.001;

/** Number of durations that are kept as they are. */
const mostExact = 1000;

/** DDSketch (Masson, Rim, Lee 2019): logarithmic buckets give every quantile the same relative error. */
export function durations(): Durations {
  const buckets = new Map<number, number>();
  const exact: number[] = [];
  let total = 0;
  return {
    add(milliseconds) {
      const bucket = bucketOf(milliseconds);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      if (total < mostExact) exact.push(milliseconds);
      total += 1;
    },
    count: () => total,
    quantile(share) {
      if (total === 0) return null;
      const rank = Math.max(1, Math.ceil(share * total));
      if (total <= mostExact) return exact.toSorted((a, b) => a - b)[rank - 1] ?? null;
      let seen = 0;
      for (const [bucket, count] of Array.from(buckets).toSorted(([a], [b]) => a - b)) {
        seen += count;
        if (seen >= rank) return middle(bucket);
      }
      return null;
    },
  };
}

function bucketOf(milliseconds: number): number {
  return milliseconds < shortest ? -1 : Math.ceil(Math.log(milliseconds / shortest) / Math.log(growth));
}

/** The value that is within the relative error of all in a bucket. */
function middle(bucket: number): number {
  return bucket === -1 ? 0 : (shortest * 2 * growth ** bucket) / (growth + 1);
}
