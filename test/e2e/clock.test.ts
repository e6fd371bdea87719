import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
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
      const { code, err } = await clock.run(service, "-j", "4", "--rate", "40/s", "--max-duration", "2h", "--json");
      expect(code, err).toBe(0);
      expect(clock.result()).toEqual(fine);
      expect(clock.tandem.query("SELECT * FROM batch WHERE finished_at < created_at")).toEqual([]);
    }

    test(
      "the eight hours that a laptop sleeps are charged to nobody: what was in flight is waited for, no job is late",
      { timeout: 40_000 },
      async () => {
        // The clock that never goes back counts them too, as on macOS and Windows.
        const clock = new SetClock({});
        const service = await startService(({ prompt }): Reply => {
          if (service.received.length === 12) clock.set("+8h");
          return { ...record(prompt), delayMs: 700 };
        });
        const { code, err } = await clock.run(service, "-j", "4", "--max-duration", "2h");
        expect(code, err).toBe(0);
        expect(clock.result()).toEqual(fine);
        expect(service.received).toHaveLength(24);
      },
    );
  },
);
