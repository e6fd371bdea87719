import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** Rows of which 40 are too few to decide: the next step is to run the same command once more. */
const sheet = (rows: number): string =>
  `id,input_prompt,golden\n${Array.from({ length: rows }, (_, i) => `k${i},prompt ${i},right`).join("\n")}\n`;

const suite = (deployment: string): string => `name: nightly
dataset: prompts.csv
case: { key: id, input: { input_prompt: input_prompt }, expected: golden }
deployments: { prod: { ${deployment} } }
targets:
  a: { deployment: prod, endpoint: video-bots, example_id: a }
  b: { deployment: prod, endpoint: video-bots, example_id: b }
scorers: [{ name: correct, type: contains }]
compare: { baseline: a }
reports: [json, markdown, html, junit, csv]
`;

const at = 'base_url: "http://127.0.0.1:9"';

/** Commands with an address that is none, in every place that takes one. */
const malformed: readonly [string, { words: string[]; deployment?: string; env?: Record<string, string> }][] = [
  ["--otel of run", { words: ["run", "suite.yaml", "--otel", "http://u:s3cret%@127.0.0.1:9"] }],
  ["--otel of night", { words: ["night", "suite.yaml", "--otel=https://s3cret%zz@127.0.0.1:9"] }],
  ["--otel of send spans", { words: ["send", "spans", "--otel", "http://u:s3cret%@127.0.0.1:9"] }],
  ["--otel without a host", { words: ["send", "spans", "--otel", "http://"] }],
  ["--otel of another scheme", { words: ["send", "spans", "--otel", "grpc://u:s3cret@127.0.0.1:4317"] }],
  [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    { words: ["send", "spans"], env: { OTEL_EXPORTER_OTLP_ENDPOINT: "https://u:s3cret%2@127.0.0.1" } },
  ],
  [
    "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
    {
      words: ["run", "suite.yaml", "--otel"],
      env: {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces",
        OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "u:s3cret",
      },
    },
  ],
  ["--notify", { words: ["run", "suite.yaml", "--notify", "https://u:s3cret%@127.0.0.1:9/x"] }],
  ["--notify of another scheme", { words: ["night", "suite.yaml", "--notify", "slack://s3cret"] }],
  [
    "--notify by a variable",
    { words: ["run", "suite.yaml", "--notify", "env:HOOK"], env: { HOOK: "https://[s3cret" } },
  ],
  ["a proxy", { words: ["run", "suite.yaml"], deployment: `${at}, proxy: "http://u:s3cret@:99999"` }],
  [
    "a proxy by a variable",
    { words: ["run", "suite.yaml"], deployment: `${at}, proxy: "\${P}"`, env: { P: "http://u:s3cret%@127.0.0.1:9" } },
  ],
  ["a proxy with a token", { words: ["run", "suite.yaml"], deployment: `${at}, proxy: "http://s3cret@127.0.0.1:9"` }],
  [
    "a proxy of the environment",
    {
      words: ["run", "suite.yaml"],
      deployment: 'base_url: "https://bots.example.test"',
      env: { TANDEM_API_KEY: "sk-123456789", HTTPS_PROXY: "http://u:s3cret%@127.0.0.1:9" },
    },
  ],
  ["workers", { words: ["run", "suite.yaml", "--workers", "postgres://u:s3cret%@127.0.0.1:1/db"] }],
  ["workers by a variable", { words: ["workers"], env: { TANDEM_WORKERS: "postgres://u:s3cret@127.0.0.1:1/%d" } }],
  ["workers with a host", { words: ["workers"], env: { TANDEM_WORKERS: "postgres://u:s3cret@ho%st:1/d" } }],
  ["base_url", { words: ["run", "suite.yaml"], deployment: 'base_url: "https://u:s3cret%@127.0.0.1"' }],
  ["--deployment", { words: ["run", "prompts.csv", "--deployment", "p=http://u:s3cret@h", "--example-id", "a"] }],
  ["--url of init", { words: ["init", "prompts.csv", "--url", "https://u:s3cret@ho st/chat"] }],
  ["--url of init with a login", { words: ["init", "prompts.csv", "--url", "https://u:s3cret@127.0.0.1:9/chat"] }],
  ...[
    "/v1?api_key=s3cret",
    "/chat?lang=en&key=s3cret",
    "/chat?access_token=s3cret-${TOKEN}",
    "/chat?X-Amz-Signature=s3cret99",
    "/fn?code=s3cret-of-a-function-0123456789",
    "/bot/sk-s3cret-0123456789/chat",
    "/s3cret/%zz",
  ].map((rest): (typeof malformed)[number] => [
    `--url of init with a key: ${rest}`,
    { words: ["init", "prompts.csv", "--offline", "--dir", "new", "--url", `https://bots.example.com${rest}`] },
  ]),
  ["check --url with a key", { words: ["check", "--url", "https://bots.example.com/chat?api_key=s3cret"] }],
  ["the address of doctor", { words: ["check", "--url", "http://u:s3cret%@[127.0.0.1/chat"] }],
  [
    "send langfuse",
    {
      words: ["send", "langfuse"],
      env: { LANGFUSE_HOST: "https://u:s3cret%@h", LANGFUSE_PUBLIC_KEY: "pk-1", LANGFUSE_SECRET_KEY: "sk-1" },
    },
  ],
];

describe("an address that is none", () => {
  test.each(malformed)("is refused in one sentence that does not show it: %s", async (_what, given) => {
    const { words, deployment = at, env = {} } = given;
    const tandem = new Tandem().file("prompts.csv", sheet(2)).file("suite.yaml", suite(deployment)).env(env);
    if (words[0] === "send") await ranOnce(tandem);
    const { code, out, err } = await tandem.env(env).run(...words);
    expect([code, err]).toEqual([2, expect.stringMatching(/^error /m)]);
    expect(out + err).not.toContain("s3cret");
    expect(err).not.toMatch(/^ +at |fault in tandem/m);
    expect(tandem.has("new")).toBe(false);
  });
});

/** Makes the batch that a command is about. */
async function ranOnce(tandem: Tandem): Promise<void> {
  const service = await startService(() => record("yes"));
  tandem.file("first.yaml", suite(`base_url: "${service.url}"`)).env({ TANDEM_API_KEY: "sk-123456789" });
  await tandem.run("run", "first.yaml", "--quiet");
}

/** A collector and webhook that remembers the login of each request, and repeats it. */
async function receiver(): Promise<{ port: number; logins: string[] }> {
  const logins: string[] = [];
  const server = createServer((request, response) => {
    logins.push(request.headers.authorization ?? "");
    request.resume().on("end", () => {
      const errorMessage = `who is ${request.headers.authorization ?? ""}`;
      response.end(JSON.stringify({ partialSuccess: { rejectedSpans: 1, errorMessage } }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, logins };
}

/** Every file below a folder in which one of these texts stands. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const content = readFileSync(join(entry.parentPath, entry.name), "latin1");
    return texts.filter((text) => content.includes(text)).map((text) => `${entry.name}: ${text}`);
  });
}

describe("a login in an address", () => {
  test.each<[string, (port: number) => { words: string[]; env?: Record<string, string> }]>([
    ["--otel, as two words", (port) => ({ words: ["--otel", `http://me:pa55w0rd-of-otel@127.0.0.1:${port}`] })],
    ["--otel, as one", (port) => ({ words: [`--otel=http://pa55w0rd-of-otel@127.0.0.1:${port}/otlp`] })],
    ["--otel, as a query", (port) => ({ words: [`--otel=http://127.0.0.1:${port}/?key=pa55w0rd-of-otel`] })],
    ["--otel, encoded", (port) => ({ words: ["--otel", `http://me:pa55w0rd%2Dof%2Dotel@127.0.0.1:${port}`] })],
    [
      "the variables of OpenTelemetry",
      (port) => ({
        words: ["--otel"],
        env: {
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
          OTEL_EXPORTER_OTLP_HEADERS: "authorization=pa55w0rd-of-otel",
        },
      }),
    ],
    ["--notify", (port) => ({ words: ["--notify", `http://me:pa55w0rd-of-otel@127.0.0.1:${port}/pa55w0rd`] })],
    [
      "--notify beside --otel",
      (port) => ({
        words: [`--notify=http://127.0.0.1:${port}/pa55w0rd`, "--otel", `http://x:pa55w0rd@127.0.0.1:${port}`],
      }),
    ],
  ])("is used, and written nowhere: %s", async (_what, given) => {
    const { port, logins } = await receiver();
    const { words, env = {} } = given(port);
    const service = await startService(() => record("right"));
    const tandem = new Tandem()
      .file("prompts.csv", sheet(40))
      .file("suite.yaml", suite(`base_url: "${service.url}"`))
      .env({ TANDEM_API_KEY: "sk-123456789", ...env });
    const files = ["-o", "more.md", "-o", "more.html", "-o", "more.csv", "-o", "more.json"];
    const first = await tandem.run(
      "run",
      "suite.yaml",
      "--events",
      "e.jsonl",
      "--notify-on",
      "always",
      ...files,
      ...words,
    );
    const next = await tandem.run("night", "suite.yaml", "--json", "--notify-on", "always", ...words);
    const budget = await tandem.run("run", "suite.yaml", "--budget", "2", "--no-preflight", ...words);
    const rest = await tandem.run("resume", ...(words[0]?.startsWith("--otel") ? words : []));
    for (const { code, err } of [first, next, rest]) expect([0, 1, 4], err).toContain(code);
    expect(budget.code).toBe(3);
    const report = readdirSync(join(tandem.folder, "results")).find((name) => name.startsWith("nightly-"));
    expect(tandem.text(`results/${report}/report.md`)).toContain("tandem run suite.yaml");
    expect(logins.length).toBeGreaterThan(2);
    const basic = Buffer.from("me:pa55w0rd-of-otel").toString("base64");
    const secrets = ["pa55w0rd", basic];
    for (const { out, err } of [first, next, budget, rest])
      for (const secret of secrets) expect(out + err).not.toContain(secret);
    expect(filesWith(tandem.folder, secrets)).toEqual([]);
  });
});
