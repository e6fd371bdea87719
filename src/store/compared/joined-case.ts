import type { CaseResult } from "../results/case-result.ts";

/** A batch whose cases are compared, and the scoring of it that counts; null: it was not scored. */
export interface ComparedBatch {
  batchId: number;
  scoringId: number | null;
  /** Its suite says which cases belong together; of a case in several batches the first of these counts. Default false. */
  clustered?: boolean;
  /** Target id to the number of its runs that count, where later ones do not; left out: all do. */
  runs?: ReadonlyMap<number, number>;
}

/** A case with the jobs that several batches have of it. */
export interface CaseOfBatches extends CaseResult {
  /** Ids of the batches that have its key, together where the input is the same. */
  variants: readonly (readonly number[])[];
  /** Number of the variant that this case is: it has the jobs of that one. */
  variant: number;
  /** It is one of the sample by which it is known how outputs are built; its bodies are always read. */
  sampled: boolean;
  /** Expected texts of each of its batches, if they are not the same; left out if they are, or if none is known. */
  expectations?: readonly Expectation[];
}

/** The text that a batch expects of a case. */
interface Expectation {
  batchId: number;
  expected: string;
}

/** The cases of one batch under a key. */
interface CaseOfBatch {
  batch: ComparedBatch;
  result: CaseResult;
}

/** Leaves out the runs that do not count. */
export function countedRuns<Result extends CaseResult>(result: Result, { runs }: ComparedBatch): Result {
  if (runs === undefined) return result;
  const jobs = result.jobs.filter(({ targetId, repeat }) => repeat <= (runs.get(targetId) ?? repeat));
  return { ...result, jobs };
}

/** A case that no other batch has. */
export function caseAlone(result: CaseResult, { batchId }: ComparedBatch, sampled: boolean): CaseOfBatches {
  return Object.assign(result, { variants: [[batchId]], variant: 0, sampled });
}

/**
 * A key as several batches have it: one case for each input, in the order of the batches, with the jobs of those that have
 * that input.
 */
export function joinCase(parts: readonly CaseOfBatch[], sampled: boolean): CaseOfBatches[] {
  const found: ReturnType<typeof variantOf>[] = [];
  for (const part of parts) {
    const { batch, result } = part;
    const same = found.find((each) => each.result.inputHash === result.inputHash);
    if (same === undefined) {
      found.push(variantOf(part));
      continue;
    }
    same.batches.push(batch.batchId);
    same.expectations.push(...expectationOf(part));
    same.result.jobs.push(...result.jobs);
    if (batch.clustered === true && !same.clustered) same.result.cluster = result.cluster;
    same.clustered ||= batch.clustered === true;
  }
  const variants = found.map(({ batches }) => batches);
  return found.map(({ result, expectations }, variant) => {
    const made: CaseOfBatches = Object.assign(result, { variants, variant, sampled });
    const [first, ...others] = expectations;
    if (others.some(({ expected }) => expected !== first?.expected)) made.expectations = expectations;
    return made;
  });
}

function variantOf(part: CaseOfBatch) {
  const { batchId, clustered = false } = part.batch;
  return { result: part.result, batches: [batchId], clustered, expectations: expectationOf(part) };
}

/** An exported pin does not know what was expected. */
function expectationOf({ batch: { batchId }, result: { expected } }: CaseOfBatch): Expectation[] {
  return expected === null ? [] : [{ batchId, expected }];
}
