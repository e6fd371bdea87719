import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isSupportedNode, oldestNode } from "../src/lib/node-support.ts";

/**
 * Runs the built command on other versions of Node, which npm brings: `npm run try-node -- 22 24.21.0`; when none is
 * named, on the oldest and on the last of every line that is supported. Only exit codes are checked, and that the
 * viewer answers.
 */
const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const supported = [`${oldestNode}.0`, "22", "24", "26"];
/** Time given to each step: on a machine that is not short of anything the longest one takes ten seconds. */
const patienceMs = 180_000;

const folder = mkdtempSync(join(tmpdir(), "tandem-nodes-"));
try {
  const given = process.argv.slice(2);
  for (const wanted of given.length === 0 ? supported : given) await tryOn(wanted);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryOn(wanted: string): Promise<void> {
  const node = await install(wanted);
  const out = join(folder, `out-${wanted}`);
  const expectExit = (code: number, ...args: string[]): Promise<void> =>
    timed(args[0] ?? "", () => ends(start(node, [path("dist/main.js"), ...args, "--results", out]), code));
  const version = (await said(node, ["--version"])).trim();
  console.log(version);
  if (!isSupportedNode(version.slice(1))) throw new Error(`${version} would hand over to another Node`);
  await expectExit(0, "demo", "--quiet");
  // A budget that is spent stops the batch before its end: exit code 3.
  await expectExit(3, "run", path("datasets/functions/read-date.yaml"), "--quiet", "--budget", "20");
  await expectExit(0, "resume", "--quiet");
  await expectExit(0, "compare", "--json");
  await timed("view", () => view(node, out));
}

/** Fetches a version of Node into a folder of its own, and gives its path. */
async function install(wanted: string): Promise<string> {
  const home = mkdtempSync(join(folder, "node-"));
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }));
  const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error", "--prefix", home];
  await timed(`npm install node@${wanted}`, () => ends(start("npm", ["install", ...flags, `node@${wanted}`]), 0));
  return join(home, "node_modules/node/bin/node");
}

/** Starts the viewer, asks it for its page, and ends it. */
async function view(node: string, out: string): Promise<void> {
  const child = start(node, [path("dist/main.js"), "view", "--results", out, "--port", "0", "--json"]);
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(await firstLine(child)));
  const { status, text } = await page(url);
  if (status !== 200 || !text.includes("<html")) throw new Error(`${url} answered ${status}: ${text.slice(0, 200)}`);
  child.kill("SIGTERM");
  await ends(child, 0);
}

/** The page behind an address with a token, for which the viewer gives a cookie. */
async function page(url: string): Promise<{ status: number; text: string }> {
  const { headers } = await fetch(url, { redirect: "manual" });
  const cookie = headers.getSetCookie().map((each) => each.split(";")[0]);
  const response = await fetch(new URL(headers.get("location") ?? "", url), { headers: { cookie: cookie.join("; ") } });
  return { status: response.status, text: await response.text() };
}

function start(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], timeout: patienceMs });
}

/** Waits for the end of a process. Throws with all that it said when its exit code is another. */
async function ends(child: ChildProcess, expected: number): Promise<void> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (text += part.toString()));
  const [code, signal]: unknown[] = await once(child, "close");
  if (code !== expected) {
    throw new Error(
      `${child.spawnargs.join(" ")}\nended with ${String(signal ?? code)}, not with ${expected}:\n${text}`,
    );
  }
}

async function said(program: string, args: readonly string[]): Promise<string> {
  const child = start(program, args);
  const line = await firstLine(child);
  await ends(child, 0);
  return line;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the output of the process is not read");
  const [line]: unknown[] = await once(stdout, "data");
  return String(line);
}

async function timed(name: string, work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  await work();
  console.log(`  ${name}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
}
