import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { record, type Reply, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const command = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const to = (url: string): string[] => ["--deployment", `prod=${url}`, "--example-id", "a"];

async function answering(reply?: () => Reply): Promise<{ tandem: Tandem; url: string }> {
  const { url } = await startService(({ prompt }) => reply?.() ?? record(`says ${prompt}`));
  return { tandem: new Tandem().file("prompts.csv", prompts(12)), url };
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

describe("what a run prints", () => {
  test("without a terminal is plain: the plan, one line for each endpoint queue at the end, the summary on standard output", async () => {
    const { tandem, url } = await answering();
    const { code, out, err } = await tandem.run("run", "prompts.csv", ...to(url));
    expect(code).toBe(0);
    expect(lines(err)).toHaveLength(6);
    expect(err).toContain("prompts.csv, rows 2-13: 12 rows, none with an expected answer\n");
    expect(err).toContain("  input_prompt <- input_prompt; key <- id\n  graded by nothing: the suite has no scorer\n");
    expect(err).toContain(`prod: the key in TANDEM_API_KEY is sent to ${url}\n`);
    expect(err).toMatch(/^prod\/video-bots {2}12\/12 \(100 %\) {2}[\d.,]+\/s {2}0 in flight$/m);
    expect(out).toContain("Report: ");
    expect(out + err).not.toContain("\u001b");
  });

  test("with --quiet is only the result, with --json exactly one JSON text on standard output", async () => {
    const { tandem, url } = await answering();
    const quiet = await tandem.run("run", "prompts.csv", ...to(url), "--quiet");
    expect(quiet.err).toBe("");
    const json = await tandem.run("run", "prompts.csv", ...to(url), "--json");
    expect(JSON.parse(json.out)).toMatchObject({
      version: storedVersion,
      state: "finished",
      stopped: [],
      inDoubt: { open: 0 },
    });
  });

  test("has colours when they are forced, unless they are refused", async () => {
    const { tandem, url } = await answering();
    const forced = await tandem.env({ TANDEM_API_KEY: "k", FORCE_COLOR: "1" }).run("run", "prompts.csv", ...to(url));
    expect(forced.out).toContain("\u001b[");
    const both = { TANDEM_API_KEY: "k", FORCE_COLOR: "1", NO_COLOR: "1" };
    const refused = await tandem.env(both).run("run", "prompts.csv", ...to(url));
    expect(refused.out + refused.err).not.toContain("\u001b[");
    expect((await tandem.run("rnu", "--color", "always")).err).toContain("\u001b[");
    const none = await tandem.env({ FORCE_COLOR: "1" }).run("--no-color", "rnu");
    expect(none.err).toContain("error There is no command");
  });

  test("says how a file is run that stands where a command is expected, and which files can be", async () => {
    const tandem = new Tandem().file("my sheet.csv", "question\nwhy?\n").file("data.yml", "a: 1\n");
    expect(await tandem.run("my sheet.csv")).toMatchObject({
      code: 2,
      err: expect.stringContaining("To run this file: tandem run 'my sheet.csv'"),
    });
    expect((await tandem.run("data.yml")).err).toContain("To run this file: tandem run data.yml");
    expect((await tandem.run("gone.csv")).err).not.toContain("To run");
    expect((await tandem.run("run", "gone.xlsx")).err).toContain(".csv, .tsv, .xlsx, .jsonl");
  });

  test("with --events tells each step as a JSON line, in a file or alone on standard error", async () => {
    const { tandem, url } = await answering();
    await tandem.run("run", "prompts.csv", ...to(url), "--events", "events.jsonl");
    const kept = lines(readFileSync(join(tandem.folder, "events.jsonl"), "utf8"));
    const events = kept.map((line) => JSON.parse(line) as { type: string; case?: string });
    expect(events[0]).toMatchObject({ version: storedVersion, type: "planned", cases: 12, jobs: 12 });
    expect(events.at(-1)).toMatchObject({ type: "finished", state: "finished", exitCode: 0 });
    const settled = events.filter(({ type }) => type === "settled");
    expect(new Set(settled.map((event) => event.case))).toEqual(
      new Set(Array.from({ length: 12 }, (_, i) => `k${i + 1}`)),
    );
    expect(settled[0]).toMatchObject({ target: "prod", outcome: "answered", decision: "finish", attempt: 1 });
    const { err } = await tandem.run("run", "prompts.csv", ...to(url), "--events");
    const types = lines(err).map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.filter((type) => type === "settled")).toHaveLength(12);
  });
});

describe("a run that was stopped says what to do", () => {
  const html: Reply = { headers: { "content-type": "text/html" }, body: "<title>Sign in</title>" };
  const cases: [string, Reply, RegExp][] = [
    [
      "a refused key",
      { status: 403, body: '{"detail":{"error":"Invalid API Key."}}' },
      /Check the key in TANDEM_PROD_API_KEY or TANDEM_API_KEY/,
    ],
    [
      "no credits",
      { status: 402, body: '{"detail":{"error":"Out of credits"}}' },
      /Add credits to the account of the deployment prod/,
    ],
    [
      "an unknown example_id",
      { status: 404, body: '{"detail":"Not Found"}' },
      /Check example_id of the target prod \("a"\)/,
    ],
    ["another site", html, /Check the address of the deployment prod .*what answers there is not the API/],
  ];

  test.each(cases)("%s", async (_name, reply, advice) => {
    const { tandem, url } = await answering(() => reply);
    const { code, out, err } = await tandem.run("run", "prompts.csv", ...to(url), "-j", "1");
    expect(code).toBe(3);
    expect(err).toMatch(advice);
    expect(out).toContain("Stopped after one row: prod rejected it.");
    expect(out.replaceAll(/\s+/g, " ")).toMatch(advice);
    // As `tandem resume` keeps the address and the id that were wrong.
    expect(out).toMatch(/After fixing it, run: tandem run prompts\.csv --deployment .*$/m);
  });

  test("an address where nothing listens", async () => {
    const gone = await startService(() => ({}));
    await gone.close();
    const tandem = new Tandem().file("prompts.csv", prompts(2));
    const { code, out } = await tandem.run("run", "prompts.csv", ...to(gone.url));
    expect(code).toBe(3);
    expect(out).toContain("ECONNREFUSED");
    expect(out.replaceAll(/\s+/g, " ")).toContain(`Check the address of the deployment prod (${gone.url})`);
  });
});

describe("the command line", () => {
  test("suggests a command, and a flag even where its value would be taken for something else", async () => {
    const wrong = await new Tandem().run("chekc", "suite.yaml");
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toContain("Did you mean check?");
    const flag = await new Tandem().run("resume", "--acept-changes", "nightly");
    expect(flag.code).toBe(2);
    expect(flag.err).toContain('resume has no flag "--acept-changes".\nDid you mean --accept-changes?');
    const missing = await new Tandem().run("serve");
    expect(missing.err).toContain("serve needs DIRECTORY.\nType: tandem serve <directory>.");
  });

  test("prints the completion of the shell that is named, or else of $SHELL", async () => {
    const tandem = new Tandem();
    expect((await tandem.env({ SHELL: "/bin/zsh" }).run("completion")).out).toContain("#compdef tandem");
    expect((await tandem.run("completion", "bash")).out).toContain("complete -o bashdefault");
    expect(await tandem.env({}).run("completion")).toMatchObject({ code: 2, out: "" });
  });

  test("ends quietly when the reader of its output has seen enough", async () => {
    const { tandem, url } = await answering(() => ({ ...record("x".repeat(20_000)) }));
    await tandem.run("run", "prompts.csv", ...to(url), "--quiet");
    const script = `{ "${process.execPath}" "${command}" export; echo "code $?" >&2; } | head -1`;
    const child = spawn("sh", ["-c", script], { cwd: tandem.folder, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    await new Promise((resolve) => child.once("close", resolve));
    expect(out).toMatch(/^case_key,.*\n$/);
    expect(err).toBe("code 0\n");
  });

  test("takes keys from .env, and what the environment says before it", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("prompts.csv", prompts(1)).env({}).file(".env", "TANDEM_API_KEY=from-file\n");
    expect((await tandem.run("run", "prompts.csv", ...to(service.url))).code).toBe(0);
    await tandem.env({ TANDEM_API_KEY: "from-environment" }).run("run", "prompts.csv", ...to(service.url));
    expect(service.received.map(({ authorization }) => authorization)).toEqual([
      "bearer from-file",
      "bearer from-environment",
    ]);
  });
});
