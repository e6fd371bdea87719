import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const key = "sk-of-a-deployment-0123456789";

/** Writes its environment to a file when it is run, and passes every answer. */
const spy = (mark: string): string => `require("node:fs").writeFileSync("${mark}", JSON.stringify(process.env));
require("node:readline").createInterface({ input: process.stdin }).on("line", () => console.log("true"));
`;

const moduleSpy = `import { writeFileSync } from "node:fs";
writeFileSync(new URL("module-ran", import.meta.url), JSON.stringify(process.env));
export default () => true;
`;

const suite = (url: string, scorers: string[]): string =>
  [
    "name: desk",
    "dataset: prompts.csv",
    "case: { key: id, expected: expected }",
    `deployments: { prod: { base_url: "${url}", api_key_env: PROD_SECRET } }`,
    "targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }",
    "scorers:",
    ...scorers.map((scorer) => `  - ${scorer}`),
    "",
  ].join("\n");

const named = "env: [KEPT, TANDEM_NOTE]";
const code = [
  "{ type: contains }",
  `{ type: command, command: [node, spy.cjs], ${named} }`,
  `{ type: module, file: ./spy.mjs, ${named} }`,
];

async function desk() {
  const service = await startService(() => record("It opens at nine."));
  const tandem = new Tandem()
    .env({ PROD_SECRET: key, COPY: `bearer ${key}`, OPENAI_API_KEY: "sk-openai", KEPT: "kept", HOOK: "https://hook" })
    .file("prompts.csv", "id,input_prompt,expected\nk1,When?,nine\n")
    .file("suite.yaml", suite(service.url, code))
    .file("spy.cjs", spy("command-ran"))
    .file("spy.mjs", moduleSpy);
  return { tandem, service };
}

describe("code beside a suite", () => {
  test("is run for a suite file that is named, told before anything is sent, and sees no key of any name", async () => {
    const { tandem, service } = await desk();
    const ran = await tandem.run("run", "suite.yaml");
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err.split("\n").slice(0, 3)).toEqual([
      `prod: the key in PROD_SECRET is sent to ${service.url}`,
      "command: runs the command node spy.cjs",
      "module: runs the module ./spy.mjs",
    ]);
    for (const mark of ["command-ran", "module-ran"]) {
      const seen = tandem.text(mark);
      expect(seen).toContain('"KEPT":"kept"');
      expect(seen).not.toContain(key);
      expect(seen).not.toContain("sk-openai");
      expect(seen).not.toMatch(/PROD_SECRET|HOOK/);
    }
  });

  test("is refused by --no-code before anything is sent", async () => {
    const { tandem, service } = await desk();
    const refused = await tandem.run("run", "suite.yaml", "--no-code");
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--no-code is given")]);
    expect(service.received).toHaveLength(0);
    expect(tandem.has("command-ran")).toBe(false);
  });

  test("is never run for a stored suite, whatever flags are given, nor from flags", async () => {
    const { tandem, service } = await desk();
    expect((await tandem.run("run", "suite.yaml", "--quiet")).code).toBe(0);
    tandem.remove("command-ran").remove("module-ran");
    const asked = [
      ["score", "--again"],
      ["score", "--explain", "k1", "--scorer", "{ name: short, type: length, max: 9 }"],
      ["resume", "desk-1"],
      ["compare"],
      ["report", "-o", "report.json"],
      ["score", "--scorer", "{ name: short, type: length, max: 9 }"],
    ];
    for (const words of asked) await tandem.run(...words);
    expect([tandem.has("command-ran"), tandem.has("module-ran")]).toEqual([false, false]);
    const graded = tandem.query<{ n: number }>("SELECT count(*) AS n FROM scores WHERE scorer = 'short'");
    expect(graded[0]?.n).toBe(1);
    const where = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
    for (const words of [
      ["score", "--scorer", "{ name: x, type: command, command: [node, spy.cjs] }"],
      ["run", "prompts.csv", ...where, "--scorer", "{ type: module, file: ./spy.mjs }"],
    ]) {
      const refused = await tandem.run(...words);
      expect([refused.code, refused.err]).toEqual([
        2,
        expect.stringContaining("Only a suite file may run code or read files"),
      ]);
    }
    expect([tandem.has("command-ran"), tandem.has("module-ran")]).toEqual([false, false]);
    expect((await tandem.run("score", "--suite", "suite.yaml", "--again", "--quiet")).code).toBe(0);
    expect([tandem.has("command-ran"), tandem.has("module-ran")]).toEqual([true, true]);
  });
});

describe("a command that is told the verdict", () => {
  const tell = ["--notify-command", "env > told; cat > /dev/null"];

  test.each([["run"], ["compare"], ["a suite that is not valid"]])("sees no key after %s", async (how) => {
    const { tandem } = await desk();
    if (how === "compare") expect((await tandem.run("run", "suite.yaml", "--quiet")).code).toBe(0);
    if (how.startsWith("a suite")) tandem.file("suite.yaml", `${tandem.text("suite.yaml")}nonsense: 1\n`);
    await tandem.run(...(how === "compare" ? ["compare"] : ["run", "suite.yaml"]), ...tell);
    expect(tandem.text("told")).toContain("TANDEM_VERDICT=");
    expect(tandem.text("told")).toContain("KEPT=kept");
    expect(tandem.text("told")).not.toContain("PROD_SECRET");
    if (!how.startsWith("a suite")) expect(tandem.text("told")).not.toContain(key);
  });
});

describe("a .env", () => {
  const file = [
    `PROD_SECRET=${key}`,
    "TANDEM_NOTE=note",
    "UNNAMED=secret of another program",
    "NODE_OPTIONS=--require ./evil.cjs",
    "NODE_TLS_REJECT_UNAUTHORIZED=0",
    "NODE_EXTRA_CA_CERTS=evil.pem",
    "HTTPS_PROXY=http://127.0.0.1:1",
    "BASH_ENV=evil.sh",
    "",
  ].join("\n");

  test("gives what the suite names and TANDEM_*, and never what changes Node, TLS or the network", async () => {
    const { tandem, service } = await desk();
    tandem.env({ KEPT: "kept" }).file(".env", file);
    const ran = await tandem.run("run", "suite.yaml", "--quiet");
    expect(ran.code, ran.err).toBe(0);
    expect(service.received[0]?.authorization).toBe(`bearer ${key}`);
    const seen = JSON.parse(tandem.text("command-ran")) as Record<string, string>;
    expect(Object.keys(seen).filter((name) => file.includes(`${name}=`))).toEqual(["TANDEM_NOTE"]);
    // Not even where the suite names them.
    const comments = ["NODE_TLS_REJECT_UNAUTHORIZED", "NODE_OPTIONS", "HTTPS_PROXY"]
      .map((name) => `# \${${name}}\n`)
      .join("");
    tandem.remove("command-ran").file("suite.yaml", comments + suite(service.url, code));
    expect((await tandem.run("run", "suite.yaml", "--quiet")).code).toBe(0);
    expect(tandem.text("command-ran")).not.toMatch(/NODE_(?!COMPILE_CACHE)|PROXY|UNNAMED/);
  });

  test("gives a stored batch the keys that it was run with, for a resume", async () => {
    const { tandem } = await desk();
    tandem.env({}).file(".env", file);
    expect((await tandem.run("run", "suite.yaml", "--quiet", "--budget", "1")).code).toBe(0);
    const resumed = await tandem.run("resume", "desk-1");
    expect(resumed.err).not.toContain("is not set");
  });
});
