import { spawnSync } from "node:child_process";
import { chmodSync, cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "./service.ts";
import { command, prompts, runAt, Tandem } from "./tandem.ts";

/** Reports an older version, then loads the command as Node would. */
const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
await import("./dist/main.js");
`;

/** Takes the place of the checkout's own Node: the Node of this test runs the command of this checkout. */
const ownNode = `#!/bin/sh
shift
exec "${process.execPath}" "${command}" "$@"
`;

/** A checkout whose command is started by a Node that says it is an older one. */
function checkout(own: string | null, mode = 0o755): Tandem {
  const tandem = new Tandem().file("old-node.mjs", pretend).file("p.csv", prompts(8));
  const filter = (path: string): boolean => !/\.map$|\/(app|types)$/.test(path);
  cpSync(dirname(command), join(tandem.folder, "dist"), { recursive: true, filter });
  if (own !== null) {
    tandem.file("node_modules/node/bin/node", own);
    chmodSync(join(tandem.folder, "node_modules/node/bin/node"), mode);
  }
  return tandem.as(process.execPath, join(tandem.folder, "old-node.mjs"));
}

const said = (text: string) => expect.stringContaining(text);

describe("the command on an older Node", () => {
  test("hands over to the checkout's own: arguments, standard input, both outputs and the exit code are those of the command", () => {
    const { folder } = checkout(ownNode);
    const run = (args: string[], input: string) =>
      spawnSync(process.execPath, [join(folder, "old-node.mjs"), ...args], { cwd: folder, input, encoding: "utf8" });
    const valid = run(["validate", "-", "--json"], "id,input_prompt\na,Is it open?\nb,Where?\n");
    expect(valid).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(valid.stdout)).toMatchObject({ version: 1, cases: 2 });
    const wrong = run(["valdate"], "");
    expect(wrong).toMatchObject({ status: 2, stdout: "", stderr: said("Did you mean validate?") });
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
    let answer = (): void => {};
    const when = new Promise<void>((resolve) => (answer = resolve));
    const service = await startService(({ prompt }) => ({ ...record(prompt), when }));
    const tandem = checkout(ownNode).inGroupOfItsOwn();
    const { child, ended } = tandem.start(...runAt({ prod: service }, "-j", "3", "--no-preflight"));
    let err = "";
    child.stderr?.on("data", (text: string) => (err += text));
    await expect.poll(() => service.received.length).toBe(3);
    process.kill(whom * (child.pid ?? 0), signal);
    await expect.poll(() => err).toContain("finishing 3 in flight");
    answer();
    expect((await ended).code).toBe(exitCode);
    expect(err).not.toContain("Giving up");
    const attempts = tandem.query("SELECT outcome, error, count(*) AS n FROM attempt GROUP BY 1, 2");
    expect(attempts, err).toEqual([{ outcome: "ok", error: null, n: 3 }]);
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'ok'"), err).toEqual([{ n: 3 }]);
  }

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
