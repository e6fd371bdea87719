import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { openTest, testDatabase } from "../postgres.ts";
import type { Postgres } from "../../src/workers/postgres/connection.ts";
import { startWorker } from "../workers/worker-process.ts";
import { record } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** Twelve secrets, made of parts so that nothing which looks for keys in files takes them for some; no two share eight characters. */
const made = (name: string, seed: number): string =>
  `${name}${Array.from({ length: 30 }, (_none, at) => "abcdefghijkmnpqrstuvwxyz23456789"[(seed * 7 + at * (seed + 11) + at * at) % 32]).join("")}`;
const secrets = {
  prod: made("sk-", 1),
  test: made("tk-", 2),
  judge: made("jk-", 3),
  tenant: made("tn-", 4),
  own: made("ow-", 5),
  proxy: made("px", 6),
  webhook: made("wh", 7),
  webhookPassword: made("wp", 8),
  scorer: made("sc-", 9),
  workers: made("pg", 10),
  spans: made("ot", 11),
  address: made("ad", 12),
};

/** All rows of a database of workers as texts, chunks unpacked. */
async function rowsOf(db: Postgres): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('tandem', 'pgboss')",
  );
  const texts: string[] = [];
  for (const { name } of tables)
    texts.push(
      ...(await db.query<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`)).map(({ text }) => text),
    );
  const bodies = await db.query<{ body: Buffer }>("SELECT body FROM tandem.chunk");
  return [...texts, ...bodies.map(({ body }) => gunzipSync(body).toString())];
}

/** Every eight characters in a row of every secret, in lower case, with whose they are. */
const parts = new Map(
  Object.entries(secrets).flatMap(([name, secret]) =>
    Array.from({ length: secret.length - 7 }, (_none, at) => [secret.slice(at, at + 8).toLowerCase(), name] as const),
  ),
);

/** The secrets of which a part is in a text, with that part. */
function found(text: string): string[] {
  const lower = text.toLowerCase();
  const hits: string[] = [];
  for (const [part, name] of parts) if (lower.includes(part)) hits.push(`${name}: ${part}`);
  return hits;
}

/** Times that a request was told to wait. */
let throttled = 0;

/** Ways in which a service fails and repeats what it was sent: `piece` gives a part of it, another one each time. */
const failures: readonly ((response: ServerResponse, piece: () => string, whole: string) => void)[] = [
  (response, piece) => response.writeHead(401).end(JSON.stringify({ detail: { error: `unknown key ...${piece()}` } })),
  (response, piece) =>
    response.writeHead(422).end(JSON.stringify({ detail: [{ type: "t", loc: [piece()], msg: piece() }] })),
  (response, piece) => response.writeHead(500).end(`<html>${piece()}</html>`),
  (response, piece) => response.writeHead(502, { server: `x ${piece()}` }).end(`<html>${piece()}</html>`),
  (response, piece) =>
    response.writeHead(302, { location: `https://h.test/?k=${piece()}&l=${encodeURIComponent(piece())}` }).end(),
  (response, piece) => response.writeHead(400, { "x-request-id": piece() }).end(`{"error":"${piece()}`),
  (response, _piece, whole) =>
    response.writeHead(500).end(JSON.stringify({ detail: { id: "abcdefabcdef", error: `bad ${whole}` } })),
  (response, piece) =>
    response
      .writeHead(403)
      .end(JSON.stringify({ message: Array.from(piece(), (c) => `&#${c.charCodeAt(0)};`).join("") })),
  (response, piece) =>
    response
      .writeHead(404)
      .end(JSON.stringify({ detail: Array.from(piece(), (c) => `\\u00${c.charCodeAt(0).toString(16)}`).join("") })),
  (response, piece) => response.writeHead(200).end(`not JSON, but ${piece()}`),
  (response, piece) => {
    response.writeHead(200, { "content-length": "5000", "content-type": "application/json" });
    response.write(`{"id":"abcdefabcdef","error":"${piece()}`, () => response.destroy());
  },
  (response, _piece, whole) => response.writeHead(200).end(record(`you are ${whole}`).body),
  (response, piece) => response.writeHead(402).end(JSON.stringify({ detail: { error: piece() } })),
  // Whoever is told to wait again and again waits without end: it is so three times.
  (response, piece) =>
    response.writeHead(throttled++ % 4 === 3 ? 400 : 503, { "retry-after": "0", via: piece() }).end(piece()),
];

/** A service that fails in another way for each row, and looks at the process list while it is asked. */
async function echo(processes: string[]): Promise<string> {
  let turn = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const sent = [request.headers.authorization ?? "", request.headers["x-tenant"], request.headers["x-own"]].flat();
      const values = sent.map((value) => (value ?? "").replace(/^bearer /i, "")).filter((value) => value.length > 9);
      // Without a secret there is nothing to repeat.
      const piece = (): string => {
        const value = values[turn++ % Math.max(1, values.length)] ?? "nothing";
        const at = (turn * 5) % Math.max(1, value.length - 9);
        return value.slice(at, at + 9);
      };
      processes.push(...commandLines());
      const number = Number(/case (\d+)/.exec(body)?.[1] ?? turn);
      failures[number % failures.length]?.(response, piece, values.join(" "));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

function commandLines(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((id) => {
    if (!/^\d+$/.test(id)) return [];
    try {
      return readFileSync(`/proc/${id}/cmdline`, "utf8");
    } catch {
      return [];
    }
  });
}

const suite = (url: string, more = ""): string => `name: planted
dataset: cases.csv
case: { key: id, expected: want }
deployments:
  prod: { base_url: "${url}", api_key_env: PROD_SECRET, headers: { X-Tenant: "\${TENANT}" }, retries: 1, timeout: 2s, concurrency: 3 }
  test: { base_url: "${url}", api_key_env: TEST_SECRET, retries: 0, timeout: 2s }
  judge: { base_url: "${url}", api_key_env: JUDGE_SECRET, retries: 0, timeout: 2s }
targets:
  a: { deployment: prod, endpoint: video-bots, example_id: a }
  b: { deployment: test, endpoint: video-bots, example_id: b }
  own: { deployment: prod, endpoint: { method: POST, path: /chat, body: { q: "{{ input_prompt }}" }, headers: { X-Own: "\${OWN}" }, answer: $.reply } }
judges: { judge: { deployment: judge, endpoint: video-bots, example_id: j } }
${more}
compare: { baseline: a, candidates: [b, own] }
`;

const scorers = `scorers:
  - { type: contains }
  - { type: command, command: [node, tell.cjs], env: [SCORER_SECRET] }
  - { type: module, file: ./tell.mjs, env: [SCORER_SECRET] }
  - { type: judge, target: judge, rubric: "Is it right?" }`;

/** Programs of the suite tell all that they see. */
const seen = `Object.values(process.env).join(" ")`;
const tells = `const all = ${seen};
require("node:readline").createInterface({ input: process.stdin }).on("line", () => {
  process.stderr.write(all);
  console.log(JSON.stringify({ value: 1, reason: "I saw " + all.slice(0, 50000) }));
});
`;
const tellsModule = `export default () => { throw new Error("I saw " + ${seen}); };\n`;

/** Every file below a folder, as text of bytes. */
function filesIn(folder: string, leftOut: readonly string[]): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() && !leftOut.includes(entry.name)
      ? [[path, readFileSync(path, "latin1")] as [string, string]]
      : [];
  });
}

test(
  "of twelve secrets no eight characters are in any output, file, database or process list, whatever fails",
  { timeout: 300_000 },
  async () => {
    expect(found(Object.keys(secrets).join(" "))).toEqual([]);
    for (const secret of Object.values(secrets)) expect(found(`x ${secret.slice(5, 13)} y`)).not.toEqual([]);
    const processes: string[] = [];
    const url = await echo(processes);
    const database = await testDatabase();
    const keys = {
      PROD_SECRET: secrets.prod,
      TEST_SECRET: secrets.test,
      JUDGE_SECRET: secrets.judge,
      TENANT: secrets.tenant,
      OWN: secrets.own,
    };
    const env = {
      ...keys,
      SCORER_SECRET: secrets.scorer,
      WEBHOOK: `${url.replace("://", `://me:${secrets.webhookPassword}@`)}/${secrets.webhook}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secrets.spans}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      TANDEM_WORKERS: `postgres://mill:${secrets.workers}@127.0.0.1:1/none`,
      PROXY: `http://me:${secrets.proxy}@127.0.0.1:1`,
      BOTS: `https://me:${secrets.address}@bots.example.test`,
    };
    const rows = failures.map((_none, at) => `k${at},case ${at},right`);
    const tandem = new Tandem()
      .env(env)
      .file("cases.csv", `id,input_prompt,want\n${rows.join("\n")}\n`)
      .file("one.csv", "id,input_prompt,want\nk1,case 11,right\n")
      .file("suite.yaml", suite(url, scorers))
      .file(
        "proxied.yaml",
        suite(url)
          .replace("retries: 1", 'retries: 0, proxy: "${PROXY}"')
          .replace("127.0.0.1", "bots.example.test")
          .replace("http:", "https:"),
      )
      .file("wrong.yaml", suite("${BOTS}"))
      .file("few.yaml", suite(url, scorers).replace("cases.csv", "one.csv"))
      .file("tell.cjs", tells)
      .file("tell.mjs", tellsModule);
    const outputs: [string, string][] = [];
    let failed = 0;
    const tried = async (...words: string[]): Promise<void> => {
      const { code, out, err } = await tandem.run(...words);
      outputs.push([words.join(" "), out + err]);
      if (code !== 0) failed += 1;
    };
    const notify = ["--notify", "env:WEBHOOK", "--notify-on", "always"];
    await tried("check", "--offline", "suite.yaml");
    await tried("check", "--offline", "suite.yaml", "--json");
    await tried("check", "suite.yaml");
    await tried("run", "suite.yaml", "--no-preflight", "--events", "events.jsonl", "--otel", ...notify);
    await tried(
      "run",
      "few.yaml",
      "--no-preflight",
      "-o",
      "all.json",
      "-o",
      "all.md",
      "-o",
      "all.csv",
      "-o",
      "all.xml",
      "-o",
      "all.html",
      "--json",
    );
    // A refused key ends a run: each failure has one of its own.
    for (const at of failures.keys())
      await tried("run", "suite.yaml", "--no-preflight", "--key", `k${at}`, "--quiet", "--max-duration", "6s");
    await tried("run", "proxied.yaml", "--no-preflight", "--max-duration", "3s", "--set", "wait_for_service=500ms");
    await tried("run", "wrong.yaml");
    await tried("resume", "--max-duration", "6s", ...notify);
    await tried("score", "--suite", "suite.yaml", "--again");
    for (const key of ["k1", "k6", "k11"]) await tried("score", "--explain", key);
    for (const words of [
      ["compare"],
      ["batches", "show", "latest", "--json"],
      ["report"],
      ["export", "-o", "out.jsonl"],
      ["history"],
    ])
      await tried(...words);
    await tried(
      "night",
      "suite.yaml",
      "--no-preflight",
      "--max-duration",
      "6s",
      "--set",
      "wait_for_service=2s",
      ...notify,
    );
    await tried("workers");
    await tried("run", "few.yaml", "--workers");

    // The same over a worker, and all that is in its database meanwhile.
    const db = await openTest(database, 1);
    const texts = new Set<string>();
    const looking = setInterval(() => {
      rowsOf(db).then(
        (held) => held.forEach((row) => texts.add(row)),
        () => undefined,
      );
    }, 200);
    onTestFinished(() => clearInterval(looking));
    const worker = await startWorker(database, { env: keys });
    tandem.env({ ...keys, TANDEM_WORKERS: database, SCORER_SECRET: secrets.scorer });
    await tried(
      "run",
      "suite.yaml",
      "--workers",
      "--no-preflight",
      "--wait-for-workers",
      "20s",
      "--max-duration",
      "30s",
    );
    await tried("workers", "--json");
    outputs.push(["the worker", worker.err()]);

    expect(failed).toBeGreaterThan(8);
    expect(outputs.flatMap(([words, text]) => found(text).map((hit) => `${words}: ${hit}`))).toEqual([]);
    const folders = [...filesIn(tandem.folder, []), ...filesIn(worker.folder, [])];
    expect(folders.length).toBeGreaterThan(15);
    expect(folders.flatMap(([path, text]) => found(text).map((hit) => `${path}: ${hit}`))).toEqual([]);
    clearInterval(looking);
    for (const row of await rowsOf(db)) texts.add(row);
    expect(texts.size).toBeGreaterThan(40);
    expect([...texts].flatMap((text) => found(text).map((hit) => `PostgreSQL: ${hit}`))).toEqual([]);
    expect(processes.length).toBeGreaterThan(50);
    // The address of the workers' database of this test has no password.
    expect([...new Set(processes.flatMap(found))]).toEqual([]);
  },
);
