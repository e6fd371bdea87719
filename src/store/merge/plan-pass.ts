/** A job of a plan, as far as its pass depends on it. */
export interface PlacedJob {
  case_id: number;
  target_id: number;
  cluster: string;
  /** Place of its cluster in the order of sending. */
  rank: number;
  turn: number;
}

/** Tells the pass over the cases in which each job stands, from 1; to be asked of all jobs in the order of the plan. */
export function passCounter(): (job: PlacedJob) => number {
  const targets = new Set<number>();
  let last: PlacedJob | null = null;
  let pass = 1;
  return (job) => {
    const isSame = last !== null && last.case_id === job.case_id;
    // Each pass begins with the lowest rank again; where there is one case alone, with a target that had its turn.
    const begins = last !== null && (isSame ? targets.has(job.target_id) : isBefore(job, last));
    if (begins) pass += 1;
    if (begins || !isSame) targets.clear();
    targets.add(job.target_id);
    last = job;
    return pass;
  };
}

function isBefore(one: PlacedJob, other: PlacedJob): boolean {
  if (one.rank !== other.rank || one.cluster !== other.cluster) return one.rank < other.rank;
  return one.turn === other.turn ? one.case_id < other.case_id : one.turn < other.turn;
}
