import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AttemptRequest } from "../../src/client/attempt-request.ts";
import type { Outcome } from "../../src/client/outcome.ts";
import { defaultWaits } from "../../src/runner/backoff.ts";
import { dateOffset } from "../../src/lib/clock.ts";
import { OpenRuns } from "../../src/runner/submitted/open-runs.ts";
import type { OpenRun } from "../../src/runner/submitted/run-state.ts";
import { suite } from "../store/batch.ts";
import { outcome } from "./outcome.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reply = (json: object): Outcome =>
  outcome({ kind: "ok", record: { id: null, url: null, createdAt: null, body: Buffer.from(JSON.stringify(json)) } });
const going = reply({ status: "running", output: null });
const completed = reply({ status: "completed", output: { output_text: ["hi"] }, run_time_sec: 2 });

function openRun(id: number): OpenRun {
  const job = { id, targetId: 1, caseId: id, repeat: 1, turn: 1, waitsFor: null, input: "{}" };
  return {
    job: { ...job, attempts: 1, failures: 0, firstTriedAt: null },
    target: { id: 1, name: "prod", endpoint: "video-bots", exampleId: "a", mode: "async", body: "{}", unfinished: 1 },
    taken: {
      jobId: id,
      number: 1,
      queuedAt: Date.now(),
      sentAt: 1,
      run: { id: `run${id}`, url: null, createdAt: null },
    },
    reattached: false,
    dateOffset: dateOffset(),
  };
}

/** Open runs of a service that answers as it is told, for at most so long. */
function asking(
  answer: (request: AttemptRequest, time: number) => Promise<Outcome> | Outcome,
  timeoutMs = 600_000,
  baseMs = 3_000,
) {
  const [deployment] = suite.deployments;
  if (deployment === undefined) throw new Error("the suite of the tests has deployments");
  const reported: string[] = [];
  let questions = 0;
  const runs: OpenRuns = new OpenRuns({
    client: {
      proxy: null,
      isKeyless: false,
      attempt: (request) => Promise.resolve(answer(request, ++questions)),
      abortAll: () => undefined,
      close: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    deployment: { ...deployment, concurrency: 4, timeoutMs },
    waits: { ...defaultWaits, ask: { ...defaultWaits.ask, baseMs } },
    onEnded: ({ job }, { kind, timing }, final) =>
      reported.push(
        `${job.id} ${kind}${timing.runMs === undefined ? "" : ` ${timing.runMs} ms`}${final ? " final" : ""}`,
      ),
    onOutcome: () => undefined,
    onRefused: () => {
      reported.push("refused");
      runs.close();
    },
    onLeft: ({ job }) => reported.push(`${job.id} left`),
    onChange: () => undefined,
  });
  return { runs, told: reported, questions: () => questions };
}

describe("runs that a service has taken", () => {
  test("are asked for no more at once than the deployment allows, and those that wait are left when it is closed", async () => {
    const open: (() => void)[] = [];
    const {
      runs,
      told: reported,
      questions,
    } = asking(() => new Promise((resolve) => open.push(() => resolve(completed))));
    for (let id = 1; id <= 10; id += 1) runs.add(openRun(id));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([questions(), open.length]).toEqual([4, 4]);
    for (const answer of open.splice(0, 2)) answer();
    await vi.advanceTimersByTimeAsync(0);
    expect([questions(), reported]).toEqual([6, ["1 ok 2000 ms", "2 ok 2000 ms"]]);
    runs.close();
    for (const answer of open) answer();
    await vi.advanceTimersByTimeAsync(60_000);
    // The four that were asked for have ended; of the four that waited nobody asks any more.
    expect([questions(), reported.length, runs.left]).toEqual([6, 6, 4]);
  });

  test("are asked for every three seconds, and end with the time that the service tells", async () => {
    const { runs, told: reported, questions } = asking((_, time) => (time < 4 ? going : completed));
    runs.add(openRun(1));
    await vi.advanceTimersByTimeAsync(11_900);
    expect([questions(), reported]).toEqual([3, []]);
    await vi.advanceTimersByTimeAsync(200);
    expect([questions(), reported, runs.size]).toEqual([4, ["1 ok 2000 ms"], 0]);
  });

  test("of which the service knows nothing are lost after four answers, each later than the one before", async () => {
    const { runs, told: reported, questions } = asking(() => outcome({ kind: "target" }));
    runs.add(openRun(1));
    await vi.advanceTimersByTimeAsync(20_000);
    expect([questions(), reported]).toEqual([3, []]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([questions(), reported]).toEqual([4, ["1 ambiguous"]]);
  });

  test("are not lost while a proxy answers in the place of the service, which is asked more and more seldom", async () => {
    const {
      runs,
      told: reported,
      questions,
    } = asking(() => outcome({ kind: "ambiguous", error: "HTTP 404 is an HTML page" }));
    runs.add(openRun(1));
    await vi.advanceTimersByTimeAsync(300_000);
    expect(reported).toEqual([]);
    expect(questions()).toBeLessThan(12);
    expect(runs.lastUntold).toContain("HTML page");
  });

  test("do not end with what is told of another run", async () => {
    const record = { id: "run9", url: null, createdAt: null, body: Buffer.from('{"status":"completed","output":{}}') };
    const { runs, told: reported } = asking((_, time) => {
      if (time === 1) return outcome({ kind: "ok", record });
      return time === 2 ? outcome({ kind: "run-failed", record, error: "no" }) : completed;
    });
    runs.add(openRun(1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([reported, runs.lastUntold]).toEqual([[], "asked for the run run1, it told of run9"]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(reported).toEqual(["1 ok 2000 ms"]);
  });

  test("are asked for no later than their time allows, whatever wait a service asks for", async () => {
    const {
      runs,
      told: reported,
      questions,
    } = asking(() => outcome({ kind: "throttled", retryAfterMs: 99_999_999_000 }), 2_000, 300);
    runs.add(openRun(1));
    await vi.advanceTimersByTimeAsync(2_500);
    expect(questions()).toBeLessThan(5);
    expect([reported, runs.left]).toEqual([["1 left"], 1]);
  });

  test("whose end is on its way when nothing may be asked any more are not lost", async () => {
    let arrive: ((late: Outcome) => void) | undefined;
    const late = new Promise<Outcome>((resolve) => (arrive = resolve));
    const { runs, told: reported } = asking(({ path }) => (path.endsWith("run1") ? late : outcome({ kind: "auth" })));
    runs.add(openRun(1));
    runs.add(openRun(2));
    await vi.advanceTimersByTimeAsync(3_100);
    expect([reported, runs.left, runs.size]).toEqual([["refused"], 2, 1]);
    arrive?.(completed);
    await vi.advanceTimersByTimeAsync(1);
    expect([reported, runs.left, runs.size]).toEqual([["refused", "1 ok 2000 ms"], 1, 0]);
  });

  test("are asked for on where one question is refused among others that are answered, and not where five are in a row", async () => {
    const once = asking((_, time) => (time === 2 ? outcome({ kind: "auth" }) : time < 4 ? going : completed));
    once.runs.add(openRun(1));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(once.told).toEqual(["1 ok 2000 ms"]);
    const always = asking((_, time) => (time === 1 ? going : outcome({ kind: "auth" })));
    always.runs.add(openRun(1));
    await vi.advanceTimersByTimeAsync(300_000);
    expect([always.told, always.questions()]).toEqual([["refused"], 6]);
  });
});
