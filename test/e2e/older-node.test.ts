import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { checkout, ownNode } from "./checkout.ts";
import { record, startService } from "./service.ts";
import { bePatient, runAt } from "./tandem.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const said = (text: string) => expect.stringContaining(text);

describe("the command on an older Node", () => {
  test("hands over to the checkout's own: arguments, standard input, both outputs and the exit code are those of the command", () => {
    const { folder } = checkout(ownNode);
    const run = (args: string[], input: string) =>
      spawnSync(process.execPath, [join(folder, "old-node.mjs"), ...args], { cwd: folder, input, encoding: "utf8" });
    const valid = run(["check", "--offline", "-", "--json"], "id,input_prompt\na,Is it open?\nb,Where?\n");
    expect(valid).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(valid.stdout)).toMatchObject({ version: storedVersion, cases: 2 });
    const wrong = run(["chekc"], "");
    expect(wrong).toMatchObject({ status: 2, stdout: "", stderr: said("Did you mean check?") });
  });

  test.each([["Ctrl-C, which the terminal tells to both processes,", "SIGINT", -1, 130]] as const)(
    "passes %s on as one signal: what is in flight is finished, and the exit code is that of the command",
    isPassedOn,
  );
  slowTest.each([
    ["SIGINT to it alone", "SIGINT", 1, 130],
    ["SIGTERM to it alone", "SIGTERM", 1, 143],
  ] as const)(
    "passes %s on as one signal: what is in flight is finished, and the exit code is that of the command",
    isPassedOn,
  );

  async function isPassedOn(_: string, signal: NodeJS.Signals, whom: number, exitCode: number): Promise<void> {
    const { tandem, child, ended, answer, err } = await sending();
    process.kill(whom * (child.pid ?? 0), signal);
    await expect.poll(err).toContain("finishing 3 in flight");
    answer();
    expect((await ended).code).toBe(exitCode);
    expect(err()).not.toContain("Giving up");
    const attempts = tandem.query("SELECT outcome, error, count(*) AS n FROM attempt GROUP BY 1, 2");
    expect(attempts, err()).toEqual([{ outcome: "ok", error: null, n: 3 }]);
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'ok'"), err()).toEqual([{ n: 3 }]);
  }

  /** A command with three requests in flight, in a group of its own. */
  async function sending() {
    let answer = (): void => {};
    const when = new Promise<void>((resolve) => (answer = resolve));
    const service = await startService(({ prompt }) => ({ ...record(prompt), when }));
    const tandem = checkout(ownNode).inGroupOfItsOwn();
    const { child, ended } = tandem.start(...runAt({ prod: service }, "-j", "3", "--no-preflight"));
    let err = "";
    child.stderr?.on("data", (text: string) => (err += text));
    await expect.poll(() => service.received.length).toBe(3);
    return { tandem, child, ended, service, answer: () => answer(), err: () => err };
  }

  test("passes a signal on late as the one that it is: what is in flight is finished", async () => {
    const { child, ended, service, answer, err } = await sending();
    process.kill(child.pid ?? 0, "SIGSTOP");
    process.kill(-(child.pid ?? 0), "SIGTERM");
    await expect.poll(err).toContain("finishing 3 in flight");
    await bePatient();
    process.kill(child.pid ?? 0, "SIGCONT");
    await expect.poll(err).toContain("SIGTERM came again. It may be the first one, passed on");
    answer();
    expect((await ended).code).toBe(143);
    expect(err()).not.toContain("Giving up");
    expect(service.received).toHaveLength(3);
  });

  test("that is killed leaves no other behind that goes on sending: it finishes what is in flight", async () => {
    const { tandem, child, ended, service, answer, err } = await sending();
    process.kill(child.pid ?? 0, "SIGKILL");
    await expect.poll(err).toContain("finishing 3 in flight");
    answer();
    await ended;
    expect(service.received).toHaveLength(3);
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'ok'"), err()).toEqual([{ n: 3 }]);
  });

  test("ends by the signal that ended the other process", async () => {
    const { code, signal } = await checkout("#!/bin/sh\nkill -KILL $$\n").run("--help");
    expect({ code, signal }).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("says in one sentence what to type where the checkout has no Node, or one that does not start", async () => {
    for (const tandem of [checkout(null), checkout(ownNode, 0o644)]) {
      const { code, out, err } = await tandem.run("run", "p.csv");
      expect({ code, out }).toEqual({ code: 3, out: "" });
      expect(err).toMatch(
        /^tandem needs Node 22\.19 or newer and this is 20\.20\.2: .* npx -y -p node@24 -- node \S+main\.js\n$/,
      );
    }
  });
});
