import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect } from "vitest";
import { slowTest } from "../../often.ts";

const project = fileURLToPath(new URL("../../../", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "tandem-bundle-")));

beforeAll(async () => {
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"), "dir");
  await build({
    entryPoints: {
      main: join(project, "src/deployment/sandbox/run-function.ts"),
      "sandbox-worker": join(project, "src/deployment/sandbox/worker.ts"),
    },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    splitting: true,
    logLevel: "silent",
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

slowTest(
  "in a bundle run by plain Node, threads start from sandbox-worker.js and do not keep the process alive",
  async () => {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const program = `
    import { runFunction } from "./main.js";
    const limits = { time_ms: 300, memory_bytes: 33554432, output_bytes: 10000, log_entries: 10 };
    const run = (source) => runFunction({ source, fileName: "index.js", variables: { a: 20 }, body: {}, limits });
    const outputs = [
      await run("export default (v) => v.a + 1"),
      await run("export default () => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"),
      await run("export default (v) => typeof process"),
    ];
    console.log(JSON.stringify(outputs.map(({ return_value, error }) => return_value ?? error)));`;
    writeFileSync(join(folder, "program.js"), program);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "program.js")], { timeout: 20_000 });
    expect(JSON.parse(stdout)).toStrictEqual([
      21,
      "TimeLimitError: index.js ran longer than 300 ms and was stopped.",
      "undefined",
    ]);
  },
);
