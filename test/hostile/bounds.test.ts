import { expect, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { openTally } from "./tally.ts";

const tally = openTally("what is too long", 40);

const long = "a".repeat(100_000);
const words = "ab cd ".repeat(16_000);
const suite = (more: string): string =>
  `name: desk\ndataset: p.csv\ncase: { key: id }\ntargets: { old: { answers: old } }\nscorers: [{ type: not-empty }]\n${more}`;

/** Commands that are given something very long at a place. */
const places: Readonly<Record<string, (text: string) => { files?: Record<string, string>; command: string[] }>> = {
  "a command": (text) => ({ command: [text] }),
  "a flag": (text) => ({ command: ["run", "suite.yaml", `--${text}`] }),
  "the value of a flag": (text) => ({ command: ["export", "--format", text] }),
  "the number of a flag": (text) => ({ command: ["run", "suite.yaml", "--repeats", text] }),
  "a list of columns": (text) => ({ command: ["export", "--columns", text, "-o", "-"] }),
  "a query": (text) => ({ command: ["export", "--where", `${text} ~ (`, "-o", "-"] }),
  "a locale": (text) => ({ command: ["export", "--locale", text, "-o", "-"] }),
  "a deployment": (text) => ({ command: ["run", "p.csv", "--deployment", text] }),
  "a path": (text) => ({ command: ["check", "--offline", `${text}.csv`] }),
  "a suite's path": (text) => ({ command: ["check", "--offline", `${text}.yaml`] }),
  "a results folder": (text) => ({ command: ["batches", "--results", text] }),
  "a batch": (text) => ({ command: ["compare", text] }),
  "a pin": (text) => ({ command: ["compare", "--against", text] }),
  "a key of a suite": (text) => ({
    files: { "suite.yaml": suite(`${text}: 1\n`) },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "a value of a suite": (text) => ({
    files: { "suite.yaml": suite(`gates: [{ metric: "${text}", losses: 0 }]\n`) },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "a scorer of a suite": (text) => ({
    files: { "suite.yaml": suite("").replace("not-empty", `"${text}"`) },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "a column of a suite": (text) => ({
    files: { "suite.yaml": suite("").replace("answers: old", `answers: "${text}"`) },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "an address of a suite": (text) => ({
    files: {
      "suite.yaml": `dataset: p.csv\ndeployments: { prod: { base_url: "http://${text.replaceAll(/\W/gu, "")}.x" } }\ntargets: { a: { deployment: prod, endpoint: video-bots, example_id: a } }\n`,
    },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "the variable of a key": (text) => ({
    files: {
      "suite.yaml": `dataset: p.csv\ndeployments: { prod: { base_url: "http://127.0.0.1:9", api_key_env: "${text}" } }\ntargets: { a: { deployment: prod, endpoint: video-bots, example_id: a } }\n`,
    },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "a variable of a suite": (text) => ({
    files: {
      "suite.yaml": suite(`deployments: { prod: { base_url: "\${${text.replaceAll(" ", "_").toUpperCase()}}" } }\n`),
    },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "a file of a suite": (text) => ({
    files: { "suite.yaml": suite("").replace("p.csv", `"${text}.csv"`) },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "YAML that is none": (text) => ({
    files: { "suite.yaml": `{ "${text}` },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "a header of a sheet": (text) => ({
    files: { "p.csv": `id,${text}\nk,x\n` },
    command: ["check", "--offline", "p.csv"],
  }),
  "two columns with one name": (text) => ({
    files: { "p.csv": `id,${text.slice(0, 900)},${text.slice(0, 900)}\nk,x,y\n` },
    command: ["check", "--offline", "p.csv"],
  }),
  "a key of two rows": (text) => ({
    files: { "p.csv": `id,input_prompt,old\n${text},x,y\n${text},x,y\n` },
    command: ["check", "--offline", "suite.yaml"],
  }),
  "a line that is no JSON": (text) => ({
    files: { "p.jsonl": `{"${text}\n` },
    command: ["check", "--offline", "p.jsonl"],
  }),
  "a member of JSON Lines": (text) => ({
    files: { "p.jsonl": `{"id":"k","${text}":"x"}\n` },
    command: ["check", "--offline", "p.jsonl"],
  }),
  "a promptfoo file": (text) => ({
    files: {
      "promptfooconfig.yaml": `prompts: ["file://${text}.txt"]\nproviders: ["${text}"]\n"${text}": 1\ntests: ["${text}.csv"]\n`,
    },
    command: ["init", "promptfooconfig.yaml"],
  }),
};

test.each(Object.entries(places))("a message repeats no more than a person reads of %s", async (place, made) => {
  for (const [what, text] of [
    ["letters", long],
    ["words", words],
    ["other scripts", "ክፍል".repeat(25_000).slice(0, place.includes("path") ? 30_000 : 40_000)],
    ["emoji", "👩🏽‍🌾".repeat(4_000)],
  ] as const) {
    const { files = {}, command } = made(text);
    const tandem = new Tandem().file("p.csv", "id,input_prompt,old\nk1,When?,At nine\n").file("suite.yaml", suite(""));
    for (const [name, content] of Object.entries(files)) tandem.file(name, content);
    const { code, out, err } = await tandem.run(...command);
    const told = out + err;
    const harm = [
      ...(code === 70 ? [`a fault: ${told.slice(0, 200)}`] : []),
      ...(/\S{700}/.test(told) ? ["a word without end"] : []),
      ...(told.length > 12_000 ? [`${told.length} characters`] : []),
    ];
    tally.tried(what, place, harm);
    expect(harm, what).toEqual([]);
  }
});

test("a sheet whose names are no names is refused at once, in any format and by every command", async () => {
  for (const [what, name] of [
    ["letters", "a".repeat(20_000)],
    ["words", "golden answers ".repeat(2_000)],
    ["dashes", `a${"-_".repeat(10_000)}`],
    ["spaces", `a${" ".repeat(20_000)}b`],
  ] as const) {
    const files = {
      "wide.csv": `id,${name}\nk,x\n`,
      "wide.tsv": `id\t${name}\nk\tx\n`,
      "wide.jsonl": `${JSON.stringify({ id: "k", [name]: "x" })}\n`,
      "wide.json": JSON.stringify([{ id: "k", [name]: "x" }]),
    };
    const tandem = new Tandem();
    for (const [file, text] of Object.entries(files)) {
      tandem.file(file, text);
      for (const command of [
        ["check", "--offline", file],
        ["check", "--offline", file, "--deployment", "prod=http://127.0.0.1:9", "--example-id", "x"],
      ]) {
        const { code, out, err } = await tandem.run(...command);
        const told = out + err;
        const harm = [
          ...(code === 2 ? [] : [`it ends with ${code}`]),
          ...(/has [\d,]+ characters; at most 1,?000/.test(told)
            ? []
            : [`the limit is not named: ${told.slice(0, 300)}`]),
          ...(told.length < 3_000 ? [] : ["it says very much"]),
        ];
        tally.tried(what, command.join(" "), harm);
        expect(harm, `${what}: ${command.join(" ")}`).toEqual([]);
      }
    }
  }
});

test("names as long as they may be cost no more than short ones, in a sheet of 2,000 columns", async () => {
  const timeOf = async (length: number): Promise<number> => {
    const names = Array.from({ length: 1_990 }, (_, at) => `c${at}${"a".repeat(length)}`);
    const tandem = new Tandem().file("wide.csv", `${names.join(",")}\n${names.map(() => "x").join(",")}\n`);
    const began = performance.now();
    const { code } = await tandem.run("init", "wide.csv", "--dir", "night");
    expect(code).toBe(0);
    return performance.now() - began;
  };
  // The form of each name was made again for each comparison: ten times as long.
  expect(await timeOf(900)).toBeLessThan(5 * (await timeOf(10)));
});

test("a pattern of a promptfoo file is matched in the folder, or named as not taken; none of them hangs", async () => {
  const files = {
    "pf/a.txt": "Say {{x}}",
    "pf/b.txt": "Tell {{x}}",
    "pf/c1.txt": "One {{x}}",
    "pf/[d].txt": "Four {{x}}",
  };
  const tandem = new Tandem();
  for (const [name, text] of Object.entries(files)) tandem.file(name, text);
  const init = async (pattern: string): Promise<{ code: number | null; told: string }> => {
    const config = { prompts: [`file://${pattern}`], providers: ["echo"], tests: [{ vars: { x: "1" } }] };
    tandem.file("pf/promptfooconfig.yaml", JSON.stringify(config));
    tandem.remove("made");
    const { code, out, err } = await tandem.run("init", "pf/promptfooconfig.yaml", "--dir", "made");
    return { code, told: out + err };
  };
  for (const pattern of [
    "{1..99999999}.txt",
    "{a..z}{1..999}{1..999}.txt",
    "{1..99}{1..99}{1..99}.txt",
    "{a,b}".repeat(40),
    `${"*".repeat(5_000)}.txt`,
    "{a,".repeat(300),
    `${"*a".repeat(9)}.txt`,
    "../**/*.txt",
    "[a-z].txt",
  ]) {
    const { told } = await init(pattern);
    const harm = /\*, \? and braces of a few values|no such file/.test(told)
      ? []
      : [`it is not named: ${told.slice(0, 300)}`];
    tally.tried("a pattern", pattern.slice(0, 40), harm);
    expect(harm, pattern.slice(0, 40)).toEqual([]);
  }
  for (const pattern of ["{a,b}.txt", "?.txt", "*a*.txt", "c{1..3}.txt", "[d].txt", "**/*.txt"]) {
    const { code, told } = await init(pattern);
    expect(code, `${pattern}: ${told}`).toBe(0);
  }
});
