import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkout, ownNode } from "./checkout.ts";
import { record, type Service, startService } from "./service.ts";
import { cached, childOf, command, prompts, runAt, Tandem } from "./tandem.ts";

const times = 60;
const atOnce = 4;
/** The parent stands still for so long at the most. */
const longestHoldMs = 2_000;
/** Time in which what was passed on has surely come, once the parent goes on. */
const lateMs = 500;

const npm = {
  PATH: process.env["PATH"] ?? "",
  TANDEM_API_KEY: "sk-test-0123456789",
  npm_config_update_notifier: "false",
  // A shell that is replaced by the command of the script, so that it is the command that npm passes signals on to.
  npm_config_script_shell: "/bin/bash",
};

const manifest = JSON.stringify({
  name: "bots",
  version: "1.0.0",
  scripts: { tandem: `'${process.execPath}' '${command}'` },
});

const starts: Record<string, () => Tandem> = {
  "an older Node": () => checkout(ownNode),
  npm: () =>
    new Tandem()
      .file("p.csv", prompts(8))
      .file("package.json", manifest)
      .env(npm)
      .as("npm", "run", "--silent", "tandem", "--"),
};

interface Reported {
  heldMs: number;
  received: number;
  answered: number;
  inDoubt: number;
  err: string;
}

/** A service that holds its answers back until it is told to give them. */
async function holding(): Promise<{ service: Service; answer: () => void }> {
  const { promise: when, resolve: answer } = Promise.withResolvers<void>();
  return { service: await startService(({ prompt }) => ({ ...record(prompt), when })), answer };
}

/** Signals a command with three requests in flight while its parent stands still, and answers when all has come. */
async function signalled(tandem: Tandem, whom: "group" | "parent" | "child", heldMs: number): Promise<Reported> {
  const { service, answer } = await holding();
  const { child, ended } = tandem.start(...runAt({ prod: service }, "-j", "3", "--no-preflight"));
  let said = "";
  child.stderr?.on("data", (text: string) => (said += text));
  await expect.poll(() => service.received.length, { timeout: 120_000 }).toBe(3);
  const parent = child.pid ?? 0;
  const whomId = { group: -parent, parent, child: childOf(parent) }[whom];
  process.kill(parent, "SIGSTOP");
  process.kill(whomId, "SIGINT");
  await setTimeout(heldMs);
  process.kill(parent, "SIGCONT");
  await expect.poll(() => said, { timeout: 120_000 }).toContain("finishing 3 in flight");
  await setTimeout(lateMs);
  answer();
  const { err } = await ended;
  const counted = (sql: string): number => tandem.query<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)[0]?.n ?? 0;
  const answered = counted("job WHERE outcome = 'ok'");
  return { heldMs, received: service.received.length, answered, inDoubt: counted("sending"), err };
}

describe.each(Object.keys(starts))("a signal that %s passes on late", (name) => {
  test.each(["group", "parent", "child"] as const)("gives up nothing in flight: to the %s", async (whom) => {
    const all: Reported[] = [];
    const waits = Array.from({ length: times }, (_, place) => Math.round((longestHoldMs * place) / (times - 1)));
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let heldMs = waits.shift(); heldMs !== undefined; heldMs = waits.shift())
          all.push(await signalled(starts[name]?.().inGroupOfItsOwn() ?? new Tandem(), whom, heldMs));
      }),
    );
    expect(all).toHaveLength(times);
    expect(all.filter(({ answered, inDoubt, err }) => answered < 3 || inDoubt > 0 || /Giving up/.test(err))).toEqual(
      [],
    );
  });
});

/** Ctrl-C in a terminal of its own, in which a shell runs this line; resolves with all that stood there. */
async function inTerminal(line: string, tandem: Tandem, presses: number): Promise<{ text: string; service: Service }> {
  const { service, answer } = await holding();
  const words = runAt({ prod: service }, "-j", "3", "--no-preflight").join(" ");
  const env = { ...npm, ...cached, TERM: "xterm" };
  const shell: ChildProcessByStdio<Writable, Readable, null> = spawn(
    "script",
    ["--quiet", "--return", "--command", "bash --norc --noprofile -i", "/dev/null"],
    { cwd: tandem.folder, env, stdio: ["pipe", "pipe", "ignore"] },
  );
  onTestFinished(() => void shell.kill("SIGKILL"));
  let text = "";
  shell.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  shell.stdin.write(`${line} ${words}\n`);
  await expect.poll(() => service.received.length, { timeout: 60_000 }).toBe(3);
  for (let press = 1; press <= presses; press += 1) {
    shell.stdin.write("\u0003");
    await expect
      .poll(() => text)
      .toContain(press === 1 ? "finishing 3 in flight" : press === presses ? "Giving up on the 3" : "came again");
    await setTimeout(lateMs);
  }
  answer();
  await expect.poll(() => tandem.query("SELECT 1 FROM batch WHERE lock_pid IS NULL")).toHaveLength(1);
  await expect.poll(() => text).toContain("tandem resume");
  return { text, service };
}

describe.each([
  ["by itself", `'${process.execPath}' '${command}'`, 2],
  // A second one may be the first, passed on.
  ["by npm", "npm run --silent tandem --", 3],
  ["by an older Node", `'${process.execPath}' old-node.mjs`, 3],
  ["in a script", `bash -c '"$@"; true' bash '${process.execPath}' '${command}'`, 3],
])("Ctrl-C in a terminal, with the command started %s,", (_, line, most) => {
  test.each([
    [1, "finishes what is in flight", 3],
    [most, "gives it up", 0],
  ])("pressed %i times %s", async (presses, _does, answered) => {
    const tandem = checkout(ownNode).file("package.json", manifest);
    const { text } = await inTerminal(line, tandem, presses);
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'ok'"), text).toEqual([{ n: answered }]);
    // With the progress, as long as something is waited for.
    expect(text).toMatch(/stopping {2}3 in flight, \d+m \d+s at most {2}Press Ctrl-C again to give up on them\./);
  });
});
