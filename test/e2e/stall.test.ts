import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { record, type Service, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const run = (service: Service): string[] =>
  runAt({ prod: service }, "-j", "4", "--set", "timeout=2s", "--quiet", "--no-preflight");

/** A service that answers the first four requests only when it is told to, and the others at once. */
async function patientService(): Promise<{ service: Service; answer: () => void }> {
  const gate = new EventEmitter();
  const when = once(gate, "open").then(() => undefined);
  const service = await startService(({ prompt }) => ({ ...record(prompt), when }));
  return { service, answer: () => void gate.emit("open") };
}

const attempts = (tandem: Tandem): unknown =>
  tandem.query("SELECT outcome, number, count(*) AS n FROM attempt GROUP BY 1, 2");

describe("a process that stands still for longer than the time-out", () => {
  test.each([2_600])(
    "because it was stopped for %i ms cuts off no answer that has arrived, and pays for nothing twice",
    { timeout: 40_000 },
    isNoLoss,
  );
  slowTest.each([5_000])(
    "because it was stopped for %i ms cuts off no answer that has arrived, and pays for nothing twice",
    { timeout: 40_000 },
    isNoLoss,
  );

  async function isNoLoss(ms: number): Promise<void> {
    const { service, answer } = await patientService();
    const tandem = new Tandem().file("p.csv", prompts(8));
    const { child, ended } = tandem.start(...run(service));
    await expect.poll(() => service.received.length, { interval: 5 }).toBe(4);
    child.kill("SIGSTOP");
    answer();
    await setTimeout(ms);
    child.kill("SIGCONT");
    const { code, err } = await ended;
    expect(code, err).toBe(0);
    expect(attempts(tandem)).toEqual([{ outcome: "ok", number: 1, n: 8 }]);
    expect(service.received).toHaveLength(8);
  }

  test("because another process holds the database neither, nor does it send on connections that are closed by then", async () => {
    // One answer after the other: the first that is entered meets the lock while the others are still to come.
    const service = await startService(({ prompt }) => ({
      ...record(prompt),
      delayMs: 100 + 100 * (service.received.length % 4),
    }));
    const tandem = new Tandem().file("p.csv", prompts(40));
    const { ended } = tandem.begin(...run(service));
    await expect.poll(() => service.received.length, { interval: 1 }).toBeGreaterThanOrEqual(8);
    const other = new Database(join(tandem.folder, "results", "tandem.db"));
    other.exec("BEGIN IMMEDIATE");
    await setTimeout(2_600);
    service.closeIdle();
    other.exec("ROLLBACK");
    other.close();
    const { code, err } = await ended;
    expect(code, err).toBe(0);
    expect(attempts(tandem)).toEqual([{ outcome: "ok", number: 1, n: 40 }]);
    expect(service.received).toHaveLength(40);
  });
});

slowTest(
  "a database that another process holds for more than half a minute ends the run with 3, and a resume finishes it",
  async () => {
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 50 }));
    const tandem = new Tandem().file("p.csv", prompts(40));
    const { ended } = tandem.start(...run(service));
    await expect.poll(() => service.received.length, { interval: 1 }).toBeGreaterThanOrEqual(8);
    const other = new Database(join(tandem.folder, "results", "tandem.db"));
    other.exec("BEGIN IMMEDIATE");
    const { code, err } = await ended;
    other.exec("ROLLBACK");
    other.close();
    expect([code, err]).toEqual([3, expect.stringContaining("which another process holds: database is locked")]);
    expect(err).toContain("Wait for that process or stop it, then continue with `tandem resume`.");
    const sent = service.received.length;
    expect(sent).toBeLessThan(40);
    const again = await tandem.run("resume", "--quiet");
    expect(again.code, again.err).toBe(0);
    expect(tandem.query("SELECT DISTINCT outcome FROM job")).toEqual([{ outcome: "ok" }]);
    // Requests in flight are all that may be sent again.
    expect(service.received.length).toBeLessThanOrEqual(44);
  },
);
