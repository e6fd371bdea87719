import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { cached, command, Tandem } from "../e2e/tandem.ts";
import { agentHarm, terminalHarm } from "./harm.ts";
import { openTally } from "./tally.ts";
import { hostile } from "./texts.ts";

const tally = openTally("pipes, wide sheets and mcp", 300);

/** A command that has not ended by then hangs: it waits for somebody who writes into a pipe. */
const longestMs = 60_000;

test.skipIf(process.platform === "win32")(
  "nothing that is no file is waited for in a results folder, and nothing is written through a link",
  async () => {
    const tandem = new Tandem()
      .file("p.csv", "id,input_prompt,old\nk1,When?,At nine\n")
      .file(
        "suite.yaml",
        "name: desk\ndataset: p.csv\ncase: { key: id }\ntargets: { old: { answers: old } }\nscorers: [{ type: not-empty }]\n",
      );
    const ran = await tandem.run("run", "suite.yaml", "--quiet");
    expect(ran.code, ran.err).toBe(0);
    const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
    const report = `results/${batch?.name}/report.html`;
    const jobs = (): unknown => tandem.query("SELECT * FROM job");
    const bytes = (): number => statSync(join(tandem.folder, "results/tandem.db")).size;
    const kept = { size: bytes(), jobs: jobs() };
    tandem.file("outside", "kept");
    const sockets: Server[] = [];
    onTestFinished(() => sockets.forEach((server) => server.close()));
    const kinds: [string, (path: string) => Promise<void> | void][] = [
      ["a pipe", (path) => void execFileSync("mkfifo", [path])],
      ["a socket", (path) => new Promise((ready) => sockets.push(createServer().listen(path, ready)))],
      ["a link to a device", (path) => symlinkSync("/dev/zero", path)],
      ["a link to another file", (path) => symlinkSync(join(tandem.folder, "outside"), path)],
      ["a link to nothing", (path) => symlinkSync(join(tandem.folder, "nowhere"), path)],
      ["a folder", (path) => mkdirSync(path)],
    ];
    const places: [string, readonly string[][]][] = [
      [report, [["report", "--quiet"], ["compare"]]],
      [
        "strange/tandem.db",
        [["report"], ["compare"], ["batches"], ["resume"], ["score"], ["export"]].map((words) => [
          ...words,
          "--results",
          "strange",
        ]),
      ],
      [
        "strange.csv",
        [
          ["check", "--offline", "strange.csv"],
          ["run", "strange.csv", "--deployment", "prod=http://127.0.0.1:9"],
        ],
      ],
    ];
    for (const [kind, make] of kinds) {
      for (const [place, commands] of places) {
        for (const words of commands) {
          tandem.remove(place);
          mkdirSync(join(tandem.folder, "strange"), { recursive: true });
          await make(join(tandem.folder, place));
          const run = tandem.begin(...words);
          const end = await Promise.race([
            run.ended,
            new Promise<null>((late) => setTimeout(() => late(null), longestMs).unref()),
          ]);
          tally.tried(kind, `${place}: ${words.join(" ")}`, [
            ...(end === null ? ["it hangs"] : []),
            ...terminalHarm(end?.err ?? ""),
            ...(tandem.text("outside") === "kept" ? [] : ["it wrote through the link"]),
            ...(tandem.has("nowhere") ? ["it made a file behind the link"] : []),
            ...(bytes() < kept.size || !isDeepStrictEqual(jobs(), kept.jobs) ? ["the database is cut"] : []),
          ]);
        }
      }
    }
    rmSync(join(tandem.folder, "strange"), { recursive: true, force: true });
    expect(tally.through()).toEqual([]);
  },
);

test("a sheet of any format with more columns than 2,000 is refused with the limit, whether 2,001 or 100,000", async () => {
  for (const columns of [2_001, 100_000]) {
    const names = Array.from({ length: columns }, (_none, at) => `c${at}`);
    const row = Object.fromEntries(names.map((name) => [name, "x"]));
    const files: Record<string, string> = {
      "wide.csv": `${names.join(",")}\n${names.map(() => "x").join(",")}\n`,
      "wide.tsv": `${names.join("\t")}\n${names.map(() => "x").join("\t")}\n`,
      "wide.jsonl": `${JSON.stringify(row)}\n`,
      "wide.json": JSON.stringify([row]),
    };
    for (const [name, text] of Object.entries(files)) {
      const tandem = new Tandem().file(name, text);
      const ended = await tandem.run("check", "--offline", name);
      const { code } = ended;
      const err = ended.out + ended.err;
      tally.tried(`${columns} columns`, name, [
        ...(code === 2 ? [] : [`it ends with ${code}`]),
        ...(/2,?000/.test(err) ? [] : [`the limit is not named: ${err.slice(0, 200)}`]),
        ...(err.length < 5_000 ? [] : ["it names them all"]),
      ]);
    }
  }
  expect(tally.through()).toEqual([]);
});

test("whatever an agent sends, mcp answers in lines of JSON, goes on, and shows nothing to the terminal", async () => {
  const tandem = new Tandem()
    .file(
      "p.csv",
      `id,input_prompt,old\n${hostile.map(([, text], at) => `k${at},When?,"${text.toWellFormed().replaceAll("\0", "").replaceAll('"', '""')}"`).join("\n")}\n`,
    )
    .file(
      "suite.yaml",
      "name: desk\ndataset: p.csv\ncase: { key: id }\ntargets: { old: { answers: old } }\nreports: []\n",
    );
  const ran = await tandem.run("run", "suite.yaml", "--quiet");
  expect(ran.code, ran.err).toBe(0);
  const call = (id: number, name: unknown, given: unknown): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } });
  const lines = hostile.flatMap(([, text], at) => [
    text.replaceAll("\n", " "),
    call(at, text, {}),
    call(at, "case", { key: text }),
    call(at, "case", { key: `k${at}`, batch: text }),
    call(at, "rows", { text: text.slice(0, 500), tags: { [text]: text } }),
    call(at, "history", { suite: text }),
    JSON.stringify({ jsonrpc: "2.0", id: text, method: text, params: { [text]: text } }),
    call(at, "rows", { [text.repeat(50)]: text, candidate: text.repeat(50) }),
    call(at, `x${text.repeat(50)}`, {}),
    call(at, "batches", { limit: text.repeat(50), [text]: 1 }),
    call(at, "case", { key: `k${at}` }),
  ]);
  const child = spawn(process.execPath, [command, "mcp"], {
    cwd: tandem.folder,
    env: cached,
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.end(`${lines.join("\n")}\n${call(1_000_000, "batches", {})}\n`);
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code, err).toBe(0);
  const answers = out.trim().split("\n");
  for (const line of answers) {
    // The id is the caller's own.
    const { id: _id, ...told } = JSON.parse(line) as { id: unknown; error?: unknown; result?: { isError?: boolean } };
    const isError = told.error !== undefined || told.result?.isError === true;
    const texts: string[] = [];
    JSON.stringify(told, (name, value: unknown) => {
      texts.push(name, ...(typeof value === "string" ? [value] : []));
      return value;
    });
    tally.tried("a message", "mcp", [
      ...(line.length > 400_000 ? ["an answer without measure"] : []),
      ...(isError && texts.join("").length > 3_000 ? ["an error that repeats what was sent"] : []),
      ...texts.flatMap(agentHarm).map((harm) => `${harm}: ${line.slice(0, 200)}`),
    ]);
  }
  expect(answers.length).toBeGreaterThan(lines.length * 0.9);
  expect(answers.some((line) => line.includes('"id":1000000'))).toBe(true);
  expect(terminalHarm(err)).toEqual([]);
  expect(tally.through()).toEqual([]);
});
