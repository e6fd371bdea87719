import { type ChildProcess, execFileSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { closeSync, constants, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { record, type Service, startService } from "./service.ts";
import { bePatient, childOf, command, prompts, runAt, Tandem } from "./tandem.ts";

/** What is in flight is counted from the first request on. */
const args = (service: Service, ...more: string[]): string[] =>
  runAt({ prod: service }, "-j", "3", "--no-preflight", ...more);

const outcomes = (tandem: Tandem): unknown =>
  tandem.query("SELECT outcome, count(*) AS n FROM job GROUP BY 1 ORDER BY outcome IS NULL, 1");

/** Sends a signal once the service holds three requests. */
async function signalled(tandem: Tandem, service: Service, signal: NodeJS.Signals, ...more: string[]) {
  const { child, ended } = tandem.start(...args(service, ...more));
  await expect.poll(() => service.received.length, { interval: 10, timeout: 30_000 }).toBe(3);
  child.kill(signal);
  return { child, ended };
}

/** The same by the terminal, to the whole group. */
async function signalledGroup(tandem: Tandem, service: Service) {
  const { child, ended } = tandem.start(...args(service));
  await expect.poll(() => service.received.length, { interval: 10, timeout: 30_000 }).toBe(3);
  process.kill(-(child.pid ?? 0), "SIGINT");
  return { child, ended };
}

const quoted = (word: string): string => `'${word}'`;

/** Answers that are held back until they are let go. */
function held(): { when: Promise<void>; answer: () => void } {
  const gate = new EventEmitter();
  return { when: once(gate, "open").then(() => undefined), answer: () => void gate.emit("open") };
}

/** Keeps what a process says, to wait for a part of it. */
function listen(child: ChildProcess): () => string {
  let said = "";
  child.stderr?.on("data", (text: string) => (said += text));
  return () => said;
}

const signals = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

describe("an interrupt", () => {
  test.each([...signals, ["SIGHUP", 130]] as const)(
    "%s once finishes what is in flight, prints the command to resume, and exits with %i",
    async (signal, exitCode) => {
      const { when, answer } = held();
      const service = await startService(({ prompt }) => ({ ...record(prompt), when }));
      const tandem = new Tandem().file("p.csv", prompts(8));
      const { child, ended } = await signalled(tandem, service, signal);
      await expect.poll(listen(child)).toContain("finishing 3 in flight");
      answer();
      const { code, err, out } = await ended;
      expect(code).toBe(exitCode);
      expect(err).toMatch(/finishing 3 in flight, for at most (10m 0s|9m \d+s)\. (Press Ctrl-C again|Another SIGTERM)/);
      expect(out + err).toMatch(/tandem resume p-/);
      expect(service.received).toHaveLength(3);
      expect(outcomes(tandem)).toEqual([
        { outcome: "ok", n: 3 },
        { outcome: null, n: 5 },
      ]);
      expect(tandem.query("SELECT * FROM sending")).toEqual([]);
      expect((await tandem.run("resume", "--quiet")).code).toBe(0);
      expect(service.received).toHaveLength(8);
    },
  );

  test.each(signals)("a second %s gives up on what is in flight", async (signal, exitCode) => {
    const service = await startService(() => ({ act: "hang" }));
    const tandem = new Tandem().inGroupOfItsOwn().file("p.csv", prompts(8));
    const { child, ended } = await signalled(tandem, service, signal);
    await expect.poll(listen(child)).toMatch(/Press Ctrl-C again|Another SIGTERM/);
    await bePatient();
    child.kill(signal);
    const { code, err } = await ended;
    expect(code).toBe(exitCode);
    expect(err).toContain("Giving up on the 3 in flight");
    expect(outcomes(tandem)).toEqual([{ outcome: null, n: 8 }]);
  });

  test("the second one keeps the answers that came at the same time", async () => {
    const { when, answer } = held();
    const service = await startService(({ prompt }) => ({ ...record(prompt), when }));
    const tandem = new Tandem().inGroupOfItsOwn().file("p.csv", prompts(8));
    const { child, ended } = await signalled(tandem, service, "SIGINT");
    await expect.poll(listen(child)).toContain("finishing 3 in flight");
    await bePatient();
    // While it stands still both pile up, as where a machine is busy.
    child.kill("SIGSTOP");
    answer();
    await expect.poll(() => service.running).toBe(0);
    await bePatient();
    child.kill("SIGINT");
    child.kill("SIGCONT");
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(outcomes(tandem), err).toEqual([
      { outcome: "ok", n: 3 },
      { outcome: null, n: 5 },
    ]);
    expect(tandem.query("SELECT * FROM sending")).toEqual([]);
  });

  test("below a script a second signal may be the first that was passed on, and a third one gives up", async () => {
    const service = await startService(() => ({ act: "hang" }));
    const script = `trap : INT; ${quoted(process.execPath)} ${quoted(command)} "$@"; exit $?`;
    const tandem = new Tandem().as("bash", "-c", script, "bash").inGroupOfItsOwn().file("p.csv", prompts(8));
    const { child, ended } = await signalledGroup(tandem, service);
    const said = listen(child);
    await expect.poll(said).toContain("finishing 3 in flight");
    await bePatient();
    process.kill(childOf(child.pid ?? 0), "SIGINT");
    await expect
      .poll(said)
      .toContain(
        "Ctrl-C came again. It may be the first one, passed on by what started tandem; one more gives up on the 3 in flight.",
      );
    await bePatient();
    expect(said()).not.toContain("Giving up");
    process.kill(-(child.pid ?? 0), "SIGINT");
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toContain("Giving up on the 3 in flight");
  });

  test("what is in flight is given up by itself after --grace: it stays in doubt, and a resume says that it may be paid twice", async () => {
    let isWell = false;
    const service = await startService(({ prompt }) => (isWell ? record(prompt) : { act: "hang" }));
    const tandem = new Tandem().file("p.csv", prompts(8));
    const { ended } = await signalled(tandem, service, "SIGTERM", "--grace", "1500ms");
    const { code, out, err } = await ended;
    expect(code).toBe(143);
    expect(err).toContain("finishing 3 in flight, for at most 2s. Another SIGTERM gives up on them.");
    expect(err).toContain(
      "Giving up on the 3 in flight; they stay in doubt, or with the service where it has taken them.",
    );
    expect(out + err).toMatch(/tandem resume p-/);
    expect(tandem.query("SELECT count(*) AS n FROM sending")).toEqual([{ n: 3 }]);
    isWell = true;
    const resumed = await tandem.run("resume", "--json");
    expect(resumed.code).toBe(0);
    expect(resumed.err).toContain("3 requests in doubt");
    expect(JSON.parse(resumed.out)).toMatchObject({ state: "finished", possiblyPaidTwice: 3 });
    expect(service.received).toHaveLength(11);
  });

  test("while everything waits for a rate or a throttling service, ends at once", async () => {
    const service = await startService(({ prompt }) =>
      prompt === "prompt 1" ? { status: 429, headers: { "retry-after": "600" }, body: "{}" } : record(prompt),
    );
    const tandem = new Tandem().file("p.csv", prompts(8));
    const { child, ended } = tandem.start(...args(service, "--rate", "6/h"));
    await expect
      .poll(() => service.received.some(({ prompt }) => prompt === "prompt 1") || service.received.length === 6, {
        timeout: 30_000,
      })
      .toBe(true);
    await expect.poll(() => tandem.query("SELECT * FROM sending").length).toBe(0);
    child.kill("SIGINT");
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toContain("nothing is in flight");
  });

  test.each([
    ["cannot be reached", true],
    ["is away behind its gateway", false],
  ])("while a service that %s is waited for, ends at once", async (_, isClosed) => {
    const service = await startService(() => ({ status: 502, body: "<html>bad gateway</html>" }));
    if (isClosed) await service.close();
    const tandem = new Tandem().file("p.csv", prompts(8));
    const { child, ended } = tandem.start(...args(service, "--set", "wait_for_service=1h"));
    await expect
      .poll(() => (tandem.has("results/tandem.db") ? tandem.query("SELECT * FROM attempt").length : 0), {
        timeout: 30_000,
      })
      .toBeGreaterThan(0);
    await expect.poll(() => tandem.query("SELECT * FROM sending").length).toBe(0);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(143);
    expect(tandem.query("SELECT * FROM sending")).toEqual([]);
  });

  test("during the last requests of a batch leaves nothing to resume", async () => {
    const { when, answer } = held();
    const service = await startService(({ prompt }) => ({ ...record(prompt), when }));
    const tandem = new Tandem().file("p.csv", prompts(3));
    const { child, ended } = await signalled(tandem, service, "SIGINT");
    await expect.poll(listen(child)).toContain("finishing 3 in flight");
    answer();
    const { code, out, err } = await ended;
    expect(code).toBe(130);
    expect(out + err).not.toContain("tandem resume");
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "finished" }]);
  });

  test.each(signals)(
    "%s while reports are written leaves the earlier ones and nothing else",
    async (signal, exitCode) => {
      const service = await startService(({ prompt }) => record(prompt));
      const tandem = new Tandem().file("p.csv", prompts(8)).file("to/a.html", "earlier").file("to/a.xml", "earlier");
      expect((await tandem.run(...args(service))).code).toBe(0);
      // Nobody reads from it: the third report waits for ever, with the first ones begun.
      execFileSync("sh", ["-c", 'mkfifo "$0"', join(tandem.folder, "pipe.csv")]);
      const files = (): string[] => readdirSync(join(tandem.folder, "to")).toSorted();
      const { child, ended } = tandem.start("report", "-o", "to/a.html", "-o", "to/a.xml", "-o", "pipe.csv");
      await expect.poll(() => files().length, { interval: 10, timeout: 30_000 }).toBe(5);
      child.kill(signal);
      await expect.poll(files, { timeout: 30_000 }).toEqual(["a.html", "a.xml"]);
      // A process does not exit before the system has answered; one that is gone already keeps nobody waiting.
      closeSync(openSync(join(tandem.folder, "pipe.csv"), constants.O_RDONLY | constants.O_NONBLOCK));
      expect(await ended).toMatchObject({ code: exitCode, signal: null });
      for (const name of files()) expect(readFileSync(join(tandem.folder, "to", name), "utf8")).toBe("earlier");
    },
  );

  test("is heard while reports of answers of a megabyte are written", async () => {
    const filler = "some words of a long answer. ".repeat(35_000);
    const long = (): Promise<Service> => startService(({ prompt }) => record(`${prompt} ${filler}`));
    const tandem = new Tandem().inGroupOfItsOwn().file("p.csv", prompts(12));
    const hasBegun = (folder: string): boolean =>
      tandem.has(folder) && readdirSync(join(tandem.folder, folder), { recursive: true }).join().includes(".csv.");
    const running = tandem.start(...runAt({ old: await long(), new: await long() }));
    const said = listen(running.child);
    await expect.poll(() => hasBegun("results"), { interval: 10, timeout: 60_000 }).toBe(true);
    running.child.kill("SIGTERM");
    await expect.poll(said).toContain("nothing is in flight");
    // It has most of a minute for its reports.
    expect((await running.ended).code).toBe(143);
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'ok'")).toEqual([{ n: 24 }]);
    tandem.file("later/here", "");
    const report = tandem.start("report", "-o", "later/all.csv");
    await expect.poll(() => hasBegun("later"), { interval: 10, timeout: 30_000 }).toBe(true);
    report.child.kill("SIGTERM");
    expect((await report.ended).code).toBe(143);
    expect(readdirSync(join(tandem.folder, "later"))).toEqual(["here"]);
  }, 180_000);
});
