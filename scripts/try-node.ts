import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isSupportedNode, oldestNode } from "../src/lib/node-support.ts";
import { fetchedNode } from "./trial/nodes.ts";
import { ends, start } from "./trial/process.ts";
import { opensViewer } from "./trial/viewer.ts";

/**
 * Runs the built command on other versions of Node, which npm brings: `npm run try-node -- 22 24.21.0`; when none is
 * named, on the oldest that is supported and on the newest. Only exit codes are checked, and that the
 * viewer answers.
 */
const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const supported = [`${oldestNode}.0`, "26"];

const folder = mkdtempSync(join(tmpdir(), "tandem-nodes-"));
try {
  const given = process.argv.slice(2);
  for (const wanted of given.length === 0 ? supported : given) await tryOn(wanted);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryOn(wanted: string): Promise<void> {
  const node = await timed(`npm install node@${wanted}`, () => fetchedNode(folder, wanted));
  const place = { folder: mkdtempSync(join(folder, "use-")) };
  const expectExit = (code: number, ...args: string[]): Promise<string> =>
    timed(args[0] ?? "", () => ends(start([node, path("dist/main.js"), ...args], place), code));
  const version = (await ends(start([node, "--version"], place))).trim();
  console.log(version);
  if (!isSupportedNode(version.slice(1))) throw new Error(`${version} would hand over to another Node`);
  await expectExit(0, "demo", "--quiet");
  // A budget that is spent stops the batch before its end: exit code 3.
  await expectExit(3, "run", path("datasets/functions/read-date.yaml"), "--quiet", "--budget", "20");
  await expectExit(0, "resume", "--quiet");
  await expectExit(0, "compare", "--json");
  const code = await timed("view", () => opensViewer([node, path("dist/main.js")], place));
  if (code !== 0) throw new Error(`the viewer ended with ${String(code)}`);
}

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now();
  const result = await work();
  console.log(`  ${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
  return result;
}
