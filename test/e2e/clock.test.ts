import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { known, slow, suite } from "./async-suite.ts";
import { record, type Reply, type Service, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const library = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

const without = "libfaketime is not installed here (Debian: apt-get install faketime), so no clock can be set";

/** A folder whose processes go by a clock that can be set while they run. */
class SetClock {
  readonly tandem = new Tandem().file("p.csv", prompts(24)).file("clock", "+0");

  constructor(variables: Record<string, string> = { FAKETIME_DONT_FAKE_MONOTONIC: "1" }) {
    this.tandem.env({
      TANDEM_API_KEY: "sk-test-0123456789",
      LD_PRELOAD: library ?? "",
      FAKETIME_TIMESTAMP_FILE: join(this.tandem.folder, "clock"),
      FAKETIME_NO_CACHE: "1",
      ...variables,
    });
  }

  /** `+8h` and the like, from now on. */
  set(offset: string): void {
    // A process that reads half a file would go by no clock at all.
    writeFileSync(join(this.tandem.folder, "clock.new"), offset);
    renameSync(join(this.tandem.folder, "clock.new"), join(this.tandem.folder, "clock"));
  }

  /** The report of the only batch, as JSON. */
  report(): string {
    const [batch] = this.tandem.query<{ name: string }>("SELECT name FROM batch");
    return this.tandem.text(`results/${batch?.name}/report.json`);
  }

  run(service: Service, ...more: string[]): ReturnType<Tandem["run"]> {
    return this.tandem.run(...runAt({ prod: service }, "--quiet", ...more));
  }

  /** The outcomes of the jobs, and how many times of an attempt are out of order. */
  result(): { outcomes: unknown; backwards: unknown } {
    return {
      outcomes: this.tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1"),
      backwards: this.tandem.query(`
        SELECT * FROM attempt WHERE sent_at < queued_at OR first_byte_at < sent_at OR done_at < first_byte_at
          OR done_at - queued_at > 60000`),
    };
  }
}

/** Of a run that takes a few seconds, on a machine that others share. */
const isShort = (ms: unknown): boolean => typeof ms === "number" && ms > 0 && ms < 60_000;

const fine = { outcomes: [{ outcome: "ok", n: 24 }], backwards: [] };

describe.skipIf(library === undefined)(
  `a clock that is set while a run goes on${library === undefined ? ` (${without})` : ""}`,
  () => {
    test.each(["+8h"])(
      "by %s skips no job, freezes no queue and makes no duration negative or long",
      { timeout: 40_000 },
      isSurvived,
    );
    slowTest.each(["-2h", "-3d"])(
      "by %s skips no job, freezes no queue and makes no duration negative or long",
      { timeout: 40_000 },
      isSurvived,
    );

    async function isSurvived(offset: string): Promise<void> {
      const clock = new SetClock();
      const service = await startService(({ prompt, time }): Reply => {
        const count = service.received.length;
        // Set while jobs wait for the service, for a back-off and for an answer.
        if (count === 12) clock.set(offset);
        if (time === 1 && count % 5 === 1) return { status: 429, headers: { "retry-after": "0.4" }, body: "{}" };
        if (time === 1 && count % 5 === 2) return { status: 502, body: "?", delayMs: 30 };
        return { ...record(prompt), delayMs: 60 };
      });
      const collector = await startService(() => ({ body: "{}" }));
      const flags = ["-j", "4", "--rate", "40/s", "--max-duration", "2h", "--otel", collector.url, "--json"];
      const { code, err, out } = await clock.run(service, ...flags);
      expect(code, err).toBe(0);
      expect(clock.result()).toEqual(fine);
      expect(JSON.parse(out).durationMs).toSatisfy(isShort);
      expect(JSON.parse(clock.report()).durationMs).toSatisfy(isShort);
      // Each run and each of its requests, whatever date it bears.
      const spans = collector.received.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
      const attempts = clock.tandem.query("SELECT 1 FROM attempt");
      expect(spans).toHaveLength(24 + attempts.length);
      expect(spans.filter((span) => BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano))).toEqual([]);
      expect(clock.tandem.query("SELECT * FROM batch WHERE finished_at < created_at")).toEqual([]);
    }

    test("the eight hours that a laptop sleeps are charged to nobody: what was in flight is waited for, no job is late", async () => {
      // The clock that never goes back counts them too, as on macOS and Windows.
      const clock = new SetClock({});
      const service = await startService(({ prompt }): Reply => {
        if (service.received.length === 12) clock.set("+8h");
        return { ...record(prompt), delayMs: 700 };
      });
      const { code, err, out } = await clock.run(service, "-j", "4", "--max-duration", "2h", "--json");
      expect(code, err).toBe(0);
      expect(clock.result()).toEqual(fine);
      expect(service.received).toHaveLength(24);
      expect(JSON.parse(out).durationMs).toSatisfy(isShort);
    });

    test("runs that begin at the same moment in several processes have a name each, for programs and for people", async () => {
      // A clock that stands still.
      const clock = new SetClock();
      clock.set("2026-11-20 19:30:12");
      const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 30 }));
      const begun = [1, 2, 3, 4].map(() => clock.tandem.start(...runAt({ prod: service }, "--quiet", "--json")));
      const ended = await Promise.all(begun.map(({ ended: end }) => end));
      expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, expect.any(String)]));
      const reported = ended.map(({ out }) => JSON.parse(out));
      expect(new Set(reported.map(({ batch }) => batch))).toEqual(
        new Set(["", "-2", "-3", "-4"].map((number) => `p-20261120-193012${number}`)),
      );
      for (const { batch, durationMs } of reported) {
        expect(JSON.parse(clock.tandem.text(`results/${batch}/report.json`)).batch).toBe(batch);
        expect(durationMs).toSatisfy(isShort);
      }
      const { out } = await clock.tandem.run("history", "p", "--json");
      const names = JSON.parse(out).nights.map(({ day, time }: { day: string; time: string }) => `${day} ${time}`);
      expect(new Set(names).size).toBe(4);
    });

    test("a run that is resumed the next day took the time of its parts", async () => {
      const clock = new SetClock();
      const service = await startService(({ prompt }) => record(prompt));
      expect((await clock.run(service, "--budget", "10")).code).toBe(3);
      clock.set("+20h");
      const { code, err, out } = await clock.tandem.run("resume", "--json");
      expect(code, err).toBe(0);
      expect(JSON.parse(out).durationMs).toSatisfy(isShort);
      expect(clock.result()).toEqual(fine);
    });

    test.each(["+8h"])(
      "by %s while runs are at the service makes none of them long, and gives none up before its time",
      { timeout: 40_000 },
      leavesRunsAlone,
    );
    slowTest.each(["-2h"])(
      "by %s while runs are at the service makes none of them long, and gives none up before its time",
      { timeout: 40_000 },
      leavesRunsAlone,
    );

    async function leavesRunsAlone(offset: string): Promise<void> {
      const clock = new SetClock();
      const deployment = await slow(5_000);
      clock.tandem.file("p.csv", prompts(5)).file("suite.yaml", suite(deployment.baseUrl, "timeout: 4s"));
      const { ended } = clock.tandem.start("run", "suite.yaml", "--no-preflight");
      await known(deployment, clock.tandem, 5);
      clock.set(offset);
      const { code, err } = await ended;
      // Their four seconds are over, and the six hours of their jobs are not.
      expect(code, err).toBe(3);
      expect(err).toContain("5 runs are still going on at the service");
      const resumed = await clock.tandem.run("resume");
      expect(resumed.code, resumed.err).toBe(0);
      expect(clock.tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1")).toEqual([
        { outcome: "ok", n: 5 },
      ]);
      expect(deployment.journal.runs).toBe(5);
      expect(clock.tandem.query("SELECT 1 FROM attempt WHERE done_at < sent_at")).toEqual([]);
      // What began and ended in one process is measured there.
      expect(clock.tandem.query("SELECT 1 FROM attempt WHERE reattached = 0 AND done_at - sent_at > 60000")).toEqual(
        [],
      );
    }
  },
);
