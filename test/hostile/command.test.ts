import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sendNotice } from "../../src/app/report/notify.ts";
import { type Received, type Reply, record, startService } from "../e2e/service.ts";
import { Tandem } from "../e2e/tandem.ts";
import { startView, enter } from "../viewer/viewing.ts";
import { chatHarm, csvHarm, jsonHarm, markdownHarm, terminalHarm, xmlHarm } from "./harm.ts";
import { openTally } from "./tally.ts";
import { hostile, hostileTexts } from "./texts.ts";

const tally = openTally("the command and the viewer", 300);

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** Half of a character cannot be written in UTF-8: of each text, what a file can hold. */
const texts = hostile.map(([what, text]): [string, string] => [what, text.toWellFormed().replaceAll("\0", "\ufffd")]);

/** Every text as a key, a question, an expected answer and a tag; the service says it back in every way that it has. */
async function strangersDesk(): Promise<Tandem> {
  const service = await startService(({ path, prompt }: Received): Reply => {
    const text = texts[Number(/^case (\d+)/.exec(prompt)?.[1])]?.[1] ?? "";
    const fails = path.startsWith("/errors");
    const body = JSON.stringify({ detail: { error: text, id: text, url: text, message: text } });
    return fails ? { status: 422, body } : record(text);
  });
  const rows = texts.map(([, text], i) => [text, `case ${i} ${text}`, text, text].map(quoted).join(","));
  return new Tandem()
    .env({ TANDEM_API_KEY: "sk-test-0123456789", GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: "summary.md" })
    .file("summary.md", "")
    .file("cases.csv", [["key", "q", "want", "=1+1 ##[error]tag"].map(quoted).join(","), ...rows].join("\n"))
    .file(
      "suite.yaml",
      JSON.stringify({
        name: "##[error]desk",
        dataset: "cases.csv",
        case: { key: "key", input: { input_prompt: "q" }, expected: "want", tags: ["=1+1 ##[error]tag"] },
        deployments: {
          prod: { base_url: service.url, api_key_env: "TANDEM_API_KEY", retries: 0 },
          test: { base_url: `${service.url}/errors`, api_key_env: "TANDEM_API_KEY", retries: 0 },
        },
        targets: {
          a: { deployment: "prod", endpoint: "video-bots", example_id: "a" },
          b: { deployment: "prod", endpoint: "video-bots", example_id: "b" },
          e: { deployment: "test", endpoint: "video-bots", example_id: "a" },
        },
        scorers: [{ type: "contains" }],
        compare: { baseline: "a", candidates: ["b", "e"] },
        gates: [{ metric: "contains", margin: 0.05 }],
      }),
    );
}

const ours = /^::(?:error|warning|notice) title=[^:,]*::[^\n]*$/gm;

test("no output of a command obeys what strangers wrote, and our own annotations still work", async () => {
  const tandem = await strangersDesk();
  const tried = (place: string, harm: readonly string[]): void => {
    // Only these hold every case; of the others each counts once.
    const held = /^export|JUnit/.test(place) ? texts.length : 1;
    for (let count = 1; count < held; count++) tally.tried("a text", place, []);
    tally.tried("one of the texts", place, harm);
  };
  const ran = await tandem.run("run", "suite.yaml");
  expect(ran.out + ran.err).toMatch(ours);
  tried("what run prints", terminalHarm(`${ran.out}${ran.err}`.replaceAll(ours, "")));
  tried("the summary of the step", markdownHarm(tandem.text("summary.md")));
  tandem.env({ TANDEM_API_KEY: "sk-test-0123456789" });
  const [database] = tandem.query<{ jobs: number }>("SELECT count(*) AS jobs FROM run_records");
  expect(database?.jobs).toBeGreaterThanOrEqual(2 * texts.length);

  const printed: Record<string, [harm: (output: string) => string[], ...words: string[]]> = {
    "report -o - as Markdown": [markdownHarm, "report", "--format", "markdown", "-o", "-"],
    "report -o - as JUnit": [xmlHarm, "report", "--format", "junit", "-o", "-"],
    "report -o - as JSON": [jsonHarm, "report", "--format", "json", "-o", "-"],
    "export -o -": [csvHarm, "export", "-o", "-"],
    compare: [terminalHarm, "compare"],
    "compare --json": [jsonHarm, "compare", "--json"],
    batches: [terminalHarm, "batches"],
    "batches --json": [jsonHarm, "batches", "--json"],
    check: [terminalHarm, "check", "--offline", "suite.yaml"],
    score: [terminalHarm, "score", "--again"],
  };
  for (const [place, [harm, ...words]] of Object.entries(printed)) {
    const { out, err } = await tandem.run(...words);
    expect(out, `${place}: ${err}`).not.toBe("");
    const commands = terminalHarm(out).filter((sign) => sign.startsWith("a command of a CI"));
    tried(place, [...harm(out), ...commands, ...terminalHarm(err)]);
  }
  expect(tally.through()).toEqual([]);
});

const explained = [
  "an Azure command",
  "a GitHub command after blanks",
  "colours and a cleared screen",
  "a title and a clipboard",
  "turned directions",
  "marks upon marks",
];

test("score --explain shows a case as text, and the viewer hands out data as data", async () => {
  const tandem = await strangersDesk();
  await tandem.run("run", "suite.yaml", "--quiet");
  for (const what of explained) {
    const { out, err, code } = await tandem.run("score", "--explain", hostileTexts[what] ?? "");
    expect(code, err).toBe(0);
    tally.tried(what, "score --explain", [...terminalHarm(out), ...terminalHarm(err)]);
  }
  const { url, child } = await startView(tandem);
  const { get } = await enter(url);
  for (const [what, text] of texts) {
    for (const path of ["open?batch=", "past?suite=", "row?batch=latest&key="]) {
      const answer = await get(`/api/${path}${encodeURIComponent(text)}`);
      const body = await answer.text();
      const type = answer.headers.get("content-type") ?? "";
      const harm = [
        ...(answer.headers.get("x-content-type-options") === "nosniff" ? [] : ["may be taken for another type"]),
        ...(/html/.test(type) ? ["is HTML"] : []),
        ...(/json/.test(type) ? jsonHarm(body).filter((sign) => sign === "no JSON") : []),
        ...(/csv/.test(type) ? csvHarm(body) : []),
        ...(answer.status >= 500 ? [`ends with ${answer.status}`] : []),
      ];
      tally.tried(what, `the viewer's ${path}`, harm);
    }
  }
  child.kill("SIGTERM");
  expect(tally.through()).toEqual([]);
});

test("files in a folder that is open to everybody are for their owner alone", async () => {
  const service = await startService(() => record("It opens at nine."));
  const tandem = new Tandem().file("p.csv", "id,input_prompt,expected\nk1,When?,nine\n").file("results/old.txt", "");
  chmodSync(join(tandem.folder, "results"), 0o777);
  mkdirSync(join(tandem.folder, "open"));
  chmodSync(join(tandem.folder, "open"), 0o777);
  tandem.file("open/shared.csv", "");
  chmodSync(join(tandem.folder, "open", "shared.csv"), 0o644);
  tandem.under("umask 000");
  const where = ["--deployment", `prod=${service.url}`, "--example-id", "a", "--scorer", "contains"];
  const ran = await tandem.run("run", "p.csv", ...where, "-o", "open/runs.csv", "-o", "new/report.html");
  expect(ran.code, ran.err).toBe(0);
  for (const words of [
    ["export", "-o", "open/export.csv"],
    ["pin", "latest", "--as", "base"],
    ["pin", "base", "--export", "open/pin.jsonl"],
    ["export", "-o", "open/shared.csv"],
  ]) {
    const done = await tandem.run(...words);
    expect(done.code, done.err).toBe(0);
  }
  const files = ["results", "open", "new"].flatMap((folder) =>
    readdirSync(join(tandem.folder, folder), { recursive: true, withFileTypes: true }).map((entry) =>
      join(entry.parentPath, entry.name),
    ),
  );
  const open = files.filter((file) => !/old\.txt$|shared\.csv$/.test(file) && (statSync(file).mode & 0o077) !== 0);
  expect(files.length).toBeGreaterThan(6);
  expect(open).toEqual([]);
  // A file that is replaced keeps its rights.
  expect(statSync(join(tandem.folder, "open/shared.csv")).mode & 0o777).toBe(0o644);
});

test("a notice mentions nobody and links nowhere", async () => {
  const service = await startService(() => ({ body: "ok" }));
  const ways = { url: new URL(service.url), command: null, env: {}, keyNames: [], timeoutMs: 20_000 };
  for (const [what, text] of texts) {
    const reported = { suite: text, batch: text, sentence: text, details: [text], problems: [text], report: text };
    const failures = await sendNotice(
      {
        ...reported,
        alarms: [{ state: "new", sentence: text }],
        news: { state: "over", since: 0, sentence: text, troubles: [text] },
        state: "none",
        word: null,
        claim: "none",
        isProblem: true,
        ofNights: null,
        exitCode: 1,
      },
      ways,
    );
    const said: unknown = JSON.parse(service.received.at(-1)?.body ?? "{}");
    const shown = said !== null && typeof said === "object" && "text" in said ? String(said.text) : "";
    tally.tried(what, "a notice", [...chatHarm(shown), ...failures, ...(shown === "" ? ["nothing was sent"] : [])]);
  }
  expect(tally.through()).toEqual([]);
});
