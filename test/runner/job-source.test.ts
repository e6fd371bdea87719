import { describe, expect, test } from "vitest";
import type { PendingJob } from "../../src/runner/journal.ts";
import { JobSource } from "../../src/runner/job-source.ts";
import { pendingJob as job } from "./pending-job.ts";

/** A plan of these jobs; what is added to it later is read if it comes after what was read. */
function plan(jobs: PendingJob[]): {
  pending: (targets: readonly number[], after: number, limit: number) => PendingJob[];
} {
  return {
    pending: (targets, after, limit) =>
      jobs
        .filter(({ id, targetId }) => id > after && targets.includes(targetId))
        .toSorted((a, b) => a.id - b.id)
        .slice(0, limit),
  };
}

function takeNext(source: JobSource): PendingJob {
  expect(source.hasReady()).toBe(true);
  return source.take();
}

function takeAll(source: JobSource): number[] {
  const ids: number[] = [];
  while (source.hasReady()) ids.push(source.take().id);
  return ids;
}

describe("the jobs of an endpoint queue", () => {
  test("come page by page in the order of the plan, each once", () => {
    const ids = Array.from({ length: 700 }, (_, index) => index + 1);
    expect(takeAll(new JobSource(plan(ids.map((id) => job(id))), [1], () => {}))).toEqual(ids);
  });

  test("a turn that was handed over is not given out again when the plan names it, nor the other way round", () => {
    const jobs = Array.from({ length: 256 }, (_, index) => job(index + 1));
    const source = new JobSource(plan(jobs), [1], () => {});
    const turn = job(257, { turn: 2, waitsFor: 256 });
    for (let i = 0; i < 256; i++) takeNext(source);
    // The predecessor ends: the turn is handed over, and from now on the journal name it too.
    source.follow(turn);
    jobs.push(turn, job(258, { turn: 2, waitsFor: 255 }));
    expect(takeNext(source).id).toBe(257);
    expect(source.hasReady()).toBe(true);
    source.follow(job(258));
    expect(takeAll(source)).toEqual([258]);
    source.follow(job(258));
    expect(source.hasReady()).toBe(false);
  });

  test("what was tried before goes first, and next turns in the order of the plan", () => {
    const source = new JobSource(plan([job(1), job(2), job(9)]), [1], () => {});
    const first = takeNext(source);
    takeNext(source);
    source.follow(job(8));
    source.follow(job(4));
    source.again(first);
    expect(takeAll(source)).toEqual([1, 4, 8, 9]);
  });

  test("when no conversation is left to begin, the one that has come least far goes first", () => {
    const source = new JobSource(plan([job(1), job(11), job(21)]), [1], () => {});
    takeNext(source);
    takeNext(source);
    source.follow(job(4, { turn: 4 }));
    source.follow(job(3, { turn: 3 }));
    source.follow(job(12, { turn: 2 }));
    // One is left to begin: those of the plan before it keep their order.
    expect([takeNext(source).id, source.frontier]).toEqual([3, 1]);
    source.follow(job(3, { turn: 3 }));
    source.release(1);
    expect([takeNext(source).id, takeNext(source).id]).toEqual([4, 12]);
    expect(takeNext(source).id).toBe(21);
    source.follow(job(5, { turn: 5 }));
    source.follow(job(13, { turn: 3 }));
    source.follow(job(22, { turn: 2 }));
    source.follow(job(33, { turn: 2 }));
    expect(source.frontier).toBe(3);
    expect(takeAll(source)).toEqual([22, 33, 13, 5]);
    expect(source.frontier).toBe(3);
  });

  test("in lockstep the frontier is the next one, also where a later job was tried before", () => {
    const source = new JobSource(plan([job(1), job(3), job(5)]), [1], () => {});
    source.keepOrder();
    const [first, , later] = [takeNext(source), takeNext(source), takeNext(source)];
    // The last did not leave and comes back; then the first ends, and its next turn is due.
    source.again(later);
    source.follow(job(2, { turn: 2, waitsFor: 1 }));
    source.release(first.id);
    source.release(3);
    expect(source.peek().id).toBe(source.frontier);
    expect(takeAll(source)).toEqual([2, 5]);
  });

  test("the frontier is the earliest job that is not released, and nothing when all are", () => {
    const source = new JobSource(plan([job(1), job(2)]), [1], () => {});
    expect(source.frontier).toBe(1);
    const first = takeNext(source);
    takeNext(source);
    source.release(2);
    expect(source.frontier).toBe(1);
    source.later(first, 60_000);
    expect(source.frontier).toBe(1);
    source.drop(1);
    expect(source.frontier).toBeNull();
    expect(source.waiting).toBe(0);
  });

  test("nothing of a dropped target comes back", () => {
    const other = { targetId: 2 };
    const source = new JobSource(plan([job(1, other), job(2), job(3, other), job(4)]), [1, 2], () => {});
    const dropped = takeNext(source);
    source.drop(2);
    source.again(dropped);
    source.later(dropped, 1);
    source.follow(job(5, other));
    expect(takeAll(source)).toEqual([2, 4]);
    expect(source.targets).toBe(1);
  });
});
