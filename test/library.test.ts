import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { slowTest } from "./often.ts";
import { compare, report, run, score, startDeployment } from "../src/index.ts";
import { temporaryFolder } from "./store/batch.ts";

const shipped = (path: string): string => fileURLToPath(new URL(`../datasets/${path}`, import.meta.url));

test("the library runs a suite on embedded deployments, gives the summary, and compares again the same", async () => {
  const out = temporaryFolder();
  const settled: string[] = [];
  const { summary, exitCode } = await run({
    suite: shipped("functions/read-date.yaml"),
    out,
    env: {},
    onEvent: (event) => {
      if (event.type === "settled") settled.push(event.outcome.kind);
    },
  });
  expect(exitCode).toBe(0);
  expect(summary.comparison.cases).toBe(36);
  expect(settled).toHaveLength(72);
  const db = new Database(join(out, "tandem.db"), { readonly: true });
  expect(db.prepare("SELECT count(*), count(DISTINCT id) FROM run_records").raw().get()).toEqual([72, 72]);
  db.close();
  const { report: graded } = await score({ out, env: {} });
  expect(graded).toMatchObject({ state: "unchanged", scoring: { complete: true, answers: 72 } });
  expect(graded.metrics.reduce((sum, { scored }) => sum + scored, 0)).toBe(72 * (graded.scoring?.scorers.length ?? 0));
  const again = await compare({ out });
  expect(again.summary.comparison).toEqual(summary.comparison);
  const path = join(out, "again.xml");
  const { model, written } = await report({ out, reports: [{ format: "junit", path }] });
  expect(model).toEqual(again.model);
  expect(written).toEqual([{ format: "junit", path }]);
  expect(readFileSync(path, "utf8")).toContain('tests="36"');
});

test("an aborted signal sends nothing more and leaves the batch to be resumed", async () => {
  const controller = new AbortController();
  controller.abort();
  const { summary, exitCode } = await run({
    suite: shipped("functions/read-date.yaml"),
    out: temporaryFolder(),
    env: {},
    signal: controller.signal,
  });
  expect(exitCode).toBe(3);
  expect(summary.state).toBe("stopped");
  expect(summary.next).toContain("tandem resume");
});

slowTest("a deployment started by the library logs nothing unless it is asked to", () => {
  const stderrOf = (options: string): string => {
    const script = `import { startDeployment } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url).href)};
      const running = await startDeployment({ directory: ${JSON.stringify(shipped("functions/prod"))}${options} });
      await fetch(running.baseUrl + "/status");
      await running.stop();`;
    return spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stderr;
  };
  expect(stderrOf("")).toBe("");
  expect(stderrOf(', logLevel: "info"')).toContain('"serving"');
});

test("a deployment started by the library answers until it is stopped", async () => {
  const deployment = await startDeployment({ directory: shipped("functions/prod"), embedded: true });
  expect(await (await fetch(`${deployment.baseUrl}/status`)).text()).toContain("OK");
  await deployment.stop();
  await expect(fetch(`${deployment.baseUrl}/status`)).rejects.toThrow("fetch failed");
});

test("the library is loaded by require too, without the command line", () => {
  const script = `const tandem = require(${JSON.stringify(fileURLToPath(new URL("../dist/index.js", import.meta.url)))});
    console.log(typeof tandem.run);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=commonjs", "-e", script], { encoding: "utf8" });
  expect([stdout.trim(), stderr]).toEqual(["function", ""]);
});
