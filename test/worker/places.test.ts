import { expect, test } from "vitest";
import { decisionOf } from "../../src/worker/submit/arrived.ts";
import { placesOf } from "../../src/worker/submit/places.ts";
import { okOutcome } from "./stand-in.ts";
import { pendingJob as job } from "../runner/pending-job.ts";

test("a job has one name at the workers, whatever ids the machine has that asks", () => {
  const identity = { role: "judge" as const, target: "strict", caseKey: "k1", repeat: 1, question: "is it good?" };
  const [one, other] = [1, 501].map((firstJob) => placesOf({ firstJob, planned: 10 }, () => identity));
  expect(one?.there(job(3))).toBe(3);
  expect(other?.there(job(503))).toBe(3);
  expect([one?.here(3), other?.here(3)]).toEqual([3, 503]);
  const question = one?.there(job(77)) ?? 0;
  expect(question).toBeGreaterThan(2 ** 52 - 1);
  expect(other?.here(question)).toBeNull();
  expect(other?.there(job(900))).toBe(question);
  expect(other?.here(question)).toBe(900);
});

test("an attempt that has not decided its job tells by its kind what a worker does next", () => {
  const of = (kind: "ok" | "throttled" | "auth" | "target" | "ambiguous", final: boolean) =>
    decisionOf({ jobId: 1, number: 1, queuedAt: 1, final, outcome: { ...okOutcome(""), kind } });
  expect(of("ambiguous", true)).toBe("finish");
  expect(of("throttled", false)).toBe("wait");
  expect(of("auth", false)).toBe("stop-deployment");
  expect(of("target", false)).toBe("stop-target");
  expect(of("ambiguous", false)).toBe("retry");
});
