import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { AppError } from "../../src/errors.ts";
import { type LoadedSuite, loadSuite } from "../../src/suite/load.ts";
import { dimensionsOf } from "../../src/suite/matrix/matrix.ts";
import { gridOf } from "../../src/suite/matrix/grid.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import type { VariedByFlags } from "../../src/suite/matrix/dimensions.ts";
import { suiteHashOf } from "../../src/store/batches.ts";
import { readSuite, storableSuite } from "../../src/store/stored-suite.ts";
import { temporaryFolder } from "../store/batch.ts";

const head = `dataset: prompts.csv
deployments:
  prod: { base_url: "https://prod.example.org" }
  test: { base_url: "https://test.example.org" }
`;

/** Prompt files and others beside a suite. */
type Files = Readonly<Record<string, string | Buffer>>;

async function load(section: string, files: Files = {}, over: VariedByFlags = {}): Promise<LoadedSuite> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const path = join(folder, "suite.yaml");
  writeFileSync(path, head + section);
  return loadSuite(path, {}, { vary: over });
}

/** Faults as `line:column message`, without the folder. */
async function faults(section: string, files: Files = {}): Promise<string[]> {
  const error: unknown = await load(section, files).then(
    () => null,
    (cause: unknown) => cause,
  );
  if (!(error instanceof AppError)) throw new Error("no AppError was raised", { cause: error });
  return error.faults.map(
    ({ line, column, message }) => `${line}:${column} ${message.replaceAll(/ at \/\S+/g, " at X")}`,
  );
}

const chat = (more: string): string =>
  `matrix:\n  deployments: [prod]\n  endpoint: chat-completions\n  models: [m]\n${more}`;

const names = (matrix: JsonObject): string[] =>
  gridOf({ deployments: ["prod"], ...matrix }).targets.map(({ name }) => name);

describe("the targets of a matrix", () => {
  test("are every value with every other, the last dimension first, with the values that they vary", async () => {
    const { suite } = await load(
      chat(`  body: { seed: 7, stream: false }
  vary:
    "body.temperature": [0, 0.5]
    "body.metadata.tone": [formal, null]
`),
    );
    expect(suite.targets.map(({ name, body, varied }) => [name, body, varied])).toEqual([
      [
        "temperature=0:formal",
        { seed: 7, stream: false, temperature: 0, metadata: { tone: "formal" } },
        { "body.temperature": 0, "body.metadata.tone": "formal" },
      ],
      [
        "temperature=0:tone=null",
        { seed: 7, stream: false, temperature: 0, metadata: { tone: null } },
        { "body.temperature": 0, "body.metadata.tone": null },
      ],
      [
        "temperature=0.5:formal",
        { seed: 7, stream: false, temperature: 0.5, metadata: { tone: "formal" } },
        { "body.temperature": 0.5, "body.metadata.tone": "formal" },
      ],
      [
        "temperature=0.5:tone=null",
        { seed: 7, stream: false, temperature: 0.5, metadata: { tone: null } },
        { "body.temperature": 0.5, "body.metadata.tone": null },
      ],
    ]);
    expect(dimensionsOf(suite.targets).map(({ name, values }) => [name, values])).toEqual([
      ["body.temperature", [0, 0.5]],
      ["body.metadata.tone", ["formal", null]],
    ]);
    expect(suite.compare).toMatchObject({ baseline: "temperature=0:formal" });
  });

  test("are stored with what they vary, and read again with the same hash", async () => {
    const { suite } = await load(chat('  vary: { "body.temperature": [0, 0.5] }\n'));
    const again = readSuite(storableSuite(suite));
    expect(again.targets.map(({ varied }) => varied)).toEqual([{ "body.temperature": 0 }, { "body.temperature": 0.5 }]);
    expect(suiteHashOf(again)).toBe(suiteHashOf(suite));
  });

  test("steps into lists by their positions, and into keys with dots", async () => {
    const { suite } = await load(
      chat(`  body: { messages: [{ role: system, content: a }], "x.y": { z: 1 } }
  vary:
    "body.messages.0.content": [b, c]
    'body.x\\.y.z': [2, 3]
    "body.list": [[1, 2], [3]]
`),
    );
    expect(suite.targets[3]?.body).toEqual({
      messages: [{ role: "system", content: "b" }],
      "x.y": { z: 3 },
      list: [3],
    });
    expect(suite.targets[3]?.varied).toEqual({ "body.messages.0.content": "b", "body.x\\.y.z": 3, "body.list": "[3]" });
    expect(suite.targets).toHaveLength(8);
  });

  test("are fewer by exclude, which matches in part, and more by include, which has values of its own", async () => {
    const { suite } = await load(
      chat(`  vary:
    "body.temperature": [0, 0.5, 1]
    "body.top_p": [0.1, 0.9]
  exclude:
    - { "body.temperature": 1 }
    - { "body.temperature": 0, "body.top_p": 0.9 }
  include:
    - { "body.temperature": 2, "body.top_p": 0.1 }
    - { "body.temperature": 0, "body.top_p": 0.3, name: odd }
`),
    );
    expect(
      suite.targets.map(({ name, varied }) => [name, varied?.["body.temperature"], varied?.["body.top_p"]]),
    ).toEqual([
      ["temperature=0:top_p=0.1", 0, 0.1],
      ["temperature=0.5:top_p=0.1", 0.5, 0.1],
      ["temperature=0.5:top_p=0.9", 0.5, 0.9],
      ["temperature=2:top_p=0.1", 2, 0.1],
      ["odd", 0, 0.3],
    ]);
  });

  test("without vary are named and stored as before, with exclude too", async () => {
    const { suite } = await load(
      "matrix: { deployments: [prod, test], endpoint: functions, example_ids: [a, b], exclude: [{ deployment: test, example_id: b }] }\n",
    );
    expect(suite.targets.map(({ name, varied }) => [name, varied])).toEqual([
      ["prod:a", undefined],
      ["prod:b", undefined],
      ["test:a", undefined],
    ]);
  });

  test("take deployments and models from vary as from the lists", async () => {
    const { suite } = await load(
      "matrix: { endpoint: chat-completions, vary: { model: [x/y/gpt-4o, llama3:8b], deployment: [test, prod] } }\n",
    );
    expect(suite.targets.map(({ name, deployment, exampleId }) => [name, deployment, exampleId])).toEqual([
      ["test:gpt-4o", "test", "x/y/gpt-4o"],
      ["test:llama3:8b", "test", "llama3:8b"],
      ["prod:gpt-4o", "prod", "x/y/gpt-4o"],
      ["prod:llama3:8b", "prod", "llama3:8b"],
    ]);
    expect(dimensionsOf(suite.targets).map(({ name }) => name)).toEqual(["deployment", "model"]);
  });
});

describe("names of targets", () => {
  test("have the values that differ, with a word for numbers", () => {
    expect(
      names({ models: ["gpt-4o", "mini"], vary: { "body.sampling_temperature": [0, 0.5], "body.max_tokens": [100] } }),
    ).toEqual(["gpt-4o:temperature=0", "gpt-4o:temperature=0.5", "mini:temperature=0", "mini:temperature=0.5"]);
  });

  test("never hold a long text, and are told apart where they would be alike", () => {
    const long = "You are a very helpful assistant that answers in whole sentences.";
    expect(names({ vary: { "body.bot_script": [long, `${long} Always.`, "short"] } })).toEqual([
      "script-1",
      "script-2",
      "short",
    ]);
    expect(names({ vary: { "body.x": ["a b", "a/b", "a-b", "🙂", "हिन्दी"] } })).toEqual([
      "a-b",
      "a-b-2",
      "a-b-3",
      "x-4",
      "हिन्दी",
    ]);
    expect(names({ vary: { "body.a_count": [1, 2], "body.b_count": [1, 2] } })[0]).toBe("a_count=1:b_count=1");
    expect(names({ vary: { "body.a.n": [1, 2], "body.b.n": [1, 2] } })[0]).toBe("a.n=1:b.n=1");
  });

  test("say of which dimension a text is where two have the same", () => {
    expect(names({ vary: { "body.tone": ["a", "b"], "body.style": ["a", "c"] } })).toEqual([
      "tone=a:style=a",
      "tone=a:style=c",
      "tone=b:style=a",
      "tone=b:style=c",
    ]);
  });

  test.each([
    [
      ["prompts/a.txt", "prompts/b.txt"],
      ["a", "b"],
    ],
    [
      ["a.txt", "a.md"],
      ["a.txt", "a.md"],
    ],
    [
      ["v1/p.txt", "v2/p.txt"],
      ["v1-p", "v2-p"],
    ],
    [
      ["=cmd|' C calc'!A0.txt", "../../etc/pass wd.txt"],
      ["cmd-C-calc-A0", "pass-wd"],
    ],
    [
      [`${"x".repeat(90)}1.txt`, `${"x".repeat(90)}2.txt`],
      ["x".repeat(32), `${"x".repeat(32)}-2`],
    ],
    [
      ["🙂.txt", "سؤال.txt"],
      ["prompt-1", "سؤال"],
    ],
  ])("of the prompt files %j are %j", (files, expected) => {
    expect(names({ vary: { prompt: files } })).toEqual(expected);
  });

  test("are those that a map gives its values", () => {
    expect(
      names({
        vary: { prompt: { formal: "prompts/a.txt", brief: "prompts/b.txt" }, "body.x": { on: { a: 1 }, off: {} } },
      }),
    ).toEqual(["formal:on", "formal:off", "brief:on", "brief:off"]);
  });

  test("stay the same when a value is added behind the others", () => {
    const of = (temperatures: number[]): string[] =>
      names({ vary: { "body.temperature": temperatures, "body.x": ["a", "b"] } });
    expect(of([0, 0.5, 1]).slice(0, 4)).toEqual(of([0, 0.5]));
  });

  test("are unique for any values", () => {
    const values = [
      "",
      " ",
      "a",
      "A",
      "a ",
      "=1",
      "a:b",
      "a:b:c",
      1,
      "1",
      true,
      "true",
      null,
      "null",
      [],
      {},
      "x".repeat(50),
    ];
    const all = names({ vary: { "body.one": values, "body.two": values } });
    expect(new Set(all).size).toBe(values.length ** 2);
    expect(all.filter((name) => !/^[\p{L}\p{M}\p{N}_.:-][\p{L}\p{M}\p{N}_.:=-]*$/u.test(name))).toEqual([]);
  });
});

describe("what is wrong with a matrix is told with its place", () => {
  test.each([
    [
      "an unknown dimension",
      "  vary: { temperature: [0] }\n",
      '9:11 matrix.vary "temperature" is no dimension. For a field of the body: body.temperature. A dimension is deployment, example_id, model, prompt, or body. and a path, such as body.sampling_temperature.',
    ],
    [
      "a path with an empty part",
      '  vary: { "body.a..b": [0] }\n',
      '9:11 matrix.vary the path "body.a..b" has an empty part. A dimension is deployment, example_id, model, prompt, or body. and a path, such as body.sampling_temperature.',
    ],
    [
      "a prototype",
      '  vary: { "body.constructor.x": [0] }\n',
      '9:11 matrix.vary the path "body.constructor.x" must not have a part named constructor. A dimension is deployment, example_id, model, prompt, or body. and a path, such as body.sampling_temperature.',
    ],
    [
      "a path inside of another",
      '  vary: { "body.a": [{}], "body.a.b": [1] }\n',
      '9:11 matrix.vary "body.a" and "body.a.b" exclude each other',
    ],
    [
      "a path through a text",
      '  body: { a: text }\n  vary: { "body.a.b": [1] }\n',
      '10:11 matrix.vary the path "body.a.b" leads into a value that is no object: "text"',
    ],
    [
      "a position that is not there",
      '  body: { a: [1] }\n  vary: { "body.a.1": [1] }\n',
      '10:11 matrix.vary the path "body.a.1" names the position 1 of a list of 1 (they count from 0)',
    ],
    ["a value twice", '  vary: { "body.t": [0, 0.5, 0] }\n', "9:30 matrix.vary.body.t[2] repeats 0"],
    [
      "no values",
      '  vary: { "body.t": [] }\n',
      "9:21 matrix.vary.body.t must have at least 1 entry, got an empty list",
    ],
    [
      "one value that is no list",
      '  vary: { "body.t": 0 }\n',
      "9:21 matrix.vary.body.t must be a list of values, or a map of names to values, got the number 0",
    ],
    [
      "a prompt that is no text",
      "  vary: { prompt: [1] }\n",
      '9:20 matrix.vary.prompt[0] must be a text, got the number 1. Put it in quotes: "1".',
    ],
    [
      "models twice",
      "  vary: { model: [x] }\n",
      "9:11 matrix.vary model is varied by models already. Keep one of them.",
    ],
    [
      "an exclude that matches nothing",
      '  vary: { "body.t": [0, 1] }\n  exclude: [{ "body.t": 2 }]\n',
      "10:25 matrix.exclude[0].body.t matches nothing: body.t is never 2. It has: 0, 1.",
    ],
    [
      "an exclude of what is no dimension",
      '  vary: { "body.t": [0, 1] }\n  exclude: [{ "body.tt": 1 }]\n',
      '10:15 matrix.exclude[0] "body.tt" is no dimension of this matrix. Did you mean "body.t"?',
    ],
    [
      "excludes of everything",
      '  vary: { "body.t": [0, 1] }\n  exclude: [{ model: m }]\n',
      "10:12 matrix.exclude leaves no target. Take an entry out of it.",
    ],
    [
      "an include that is there already",
      '  vary: { "body.t": [0, 1] }\n  include: [{ "body.t": 1 }]\n',
      "10:13 matrix.include[0] repeats a combination that is there already. Take it out.",
    ],
    [
      "an include that leaves a dimension open",
      '  vary: { "body.t": [0, 1], "body.u": [2, 3] }\n  include: [{ "body.t": 5 }]\n',
      "10:13 matrix.include[0] does not say body.u. Every dimension with several values needs one here.",
    ],
    [
      "a name with a space",
      '  vary: { "body.t": [0, 1] }\n  include: [{ "body.t": 5, name: "a b" }]\n',
      '10:34 matrix.include[0].name may hold only letters, digits, _, -, ., : and = (which is not the first), got "a b"',
    ],
    [
      "a name that another has",
      '  vary: { "body.t": { a: 0, b: 1 } }\n  include: [{ "body.t": 5, name: a }, { "body.t": 6, name: a }]\n',
      '10:39 matrix.include[1] is a second target named "a". Give it another name.',
    ],
    [
      "a deployment that there is not",
      '  vary: { "body.t": [0, 1] }\n  include: [{ deployment: prd, "body.t": 3 }]\n',
      '10:27 matrix.include[0].deployment names the deployment "prd", which does not exist. Did you mean "prod"?',
    ],
    [
      "a prompt twice over",
      "  prompt: a.txt\n  vary: { prompt: [b.txt] }\n",
      "9:11 matrix.prompt cannot be used together with vary.prompt. Keep one of them.",
    ],
    [
      "a field without its prompt",
      "  prompt_field: x\n",
      "9:17 matrix.prompt_field needs prompt: the file that becomes it",
    ],
    [
      "a baseline that is no target",
      '  vary: { "body.temperature": [0, 1] }\ncompare: { baseline: temperature=2 }\n',
      '10:22 compare.baseline names the target "temperature=2", which does not exist. Did you mean "temperature=0"?',
    ],
  ])("%s", async (_, section, expected) => {
    expect((await faults(chat(section))).join("\n")).toContain(expected);
  });

  test("a million combinations are counted, and not made", async () => {
    const ten = JSON.stringify(Array.from({ length: 10 }, (_none, i) => i));
    const vary = ["a", "b", "c", "d", "e", "f"].map((name) => `"body.${name}": ${ten}`).join(", ");
    const [first = ""] = await faults(chat(`  vary: { ${vary} }\n`));
    expect(first).toContain("makes 1,000,000 targets");
    expect(first).toContain("at most 1,000 can be compared");
  });

  test("and so are the entries of include, and targets that are listed", async () => {
    const entries = Array.from({ length: 1_001 }, (_none, at) => `{ model: m${at} }`);
    const included = await faults(chat(`  include: [${entries.join(", ")}]\n`));
    expect(included[0]).toContain(
      "makes 1,002 targets (1 of deployment x 1 of model, 1001 of include); at most 1,000 can be compared",
    );
    const targets = Array.from({ length: 1_001 }, (_none, at) => `t${at}: { answers: old }`);
    const listed = await faults(`targets: { ${targets.join(", ")} }\n`);
    expect(listed).toEqual([expect.stringContaining("targets lists 1,001 targets; at most 1,000 can be compared")]);
  });
});

describe("prompt files", () => {
  const prompts = (endpoint: string, more = ""): string =>
    `matrix: { deployments: [prod], ${endpoint}, vary: { prompt: [a.txt, b.txt] }${more} }\n`;
  const files = { "a.txt": "Be brief.\n", "b.txt": "\uFEFFAnswer {{question}} in हिन्दी أو العربية 🙂\r\n" };

  test.each([
    [
      "endpoint: chat-completions, models: [m]",
      [{ system_prompt: "Be brief." }, { input_prompt: "Answer {{question}} in हिन्दी أو العربية 🙂" }],
    ],
    [
      "endpoint: video-bots, example_ids: [m]",
      [{ bot_script: "Be brief." }, { input_prompt: "Answer {{question}} in हिन्दी أو العربية 🙂" }],
    ],
    [
      "endpoint: functions, example_ids: [m]",
      [{ variables: { prompt: "Be brief." } }, { variables: { prompt: "Answer {{question}} in हिन्दी أو العربية 🙂" } }],
    ],
    [
      'endpoint: { path: /c, answer: $.a, body: { q: "{{ input_prompt }}", s: $system_prompt } }',
      [{ system_prompt: "Be brief." }, { input_prompt: "Answer {{question}} in हिन्दी أو العربية 🙂" }],
    ],
  ])("go where %s has a place for them, and are stored with the suite", async (endpoint, expected) => {
    const { suite } = await load(prompts(endpoint), files);
    expect(suite.targets.map(({ body }) => body)).toEqual(expected);
    expect(suite.targets.map(({ name, prompt, varied }) => [name, prompt, varied])).toEqual([
      ["a", "a.txt", { prompt: "a.txt" }],
      ["b", "b.txt", { prompt: "b.txt" }],
    ]);
  });

  test("go into the field that the suite names, also of a single target", async () => {
    const { suite } = await load(
      "targets:\n  one: { deployment: prod, endpoint: video-bots, example_id: m, prompt: a.txt, prompt_field: variables.system, body: { variables: { tone: x } } }\n",
      files,
    );
    expect(suite.targets[0]?.body).toEqual({ variables: { tone: "x", system: "Be brief." } });
  });

  test("that hold a chat in JSON end with what the user asks: nothing behind it would be sent", async () => {
    const file = JSON.stringify([
      { role: "user", content: "{{question}}" },
      { role: "assistant", content: "Sure," },
    ]);
    expect(await faults(chat("  prompt: chat.json\n"), { "chat.json": file })).toEqual([
      expect.stringContaining('ends with a message of the role "assistant", and a chat is asked by its last message'),
    ]);
  });

  test("that hold a chat in JSON are its messages, and what the user asks last", async () => {
    const text = JSON.stringify([
      { role: "system", content: "Be {{tone}}." },
      { role: "user", content: "{{question}}?" },
    ]);
    const { suite } = await load(prompts("endpoint: chat-completions, models: [m]"), { ...files, "a.txt": text });
    expect(suite.targets[0]?.body).toEqual({
      input_prompt: "{{question}}?",
      messages: [{ role: "system", content: "Be {{tone}}." }],
    });
  });

  test("that change make another suite", async () => {
    const one = await load(prompts("endpoint: chat-completions, models: [m]"), files);
    const other = await load(prompts("endpoint: chat-completions, models: [m]"), { ...files, "a.txt": "Be long." });
    const hashes = [one, other].map(({ suite }) =>
      suiteHashOf({ ...suite, folder: "/x", datasets: ["/x/prompts.csv"] }),
    );
    expect(new Set(hashes).size).toBe(2);
  });

  test.each<[string, string | Buffer | null, string]>([
    ["missing", null, '5:97 matrix.vary.prompt[1] names "b.txt", which does not exist. It was looked for at X'],
    ["empty", " \n", '5:97 matrix.vary.prompt[1] names "b.txt", which is empty. Write the prompt into it.'],
    [
      "not UTF-8",
      Buffer.from([0xff, 0xfe, 0x41, 0]),
      '5:97 matrix.vary.prompt[1] names "b.txt", which is not UTF-8 text. Save it as UTF-8.',
    ],
    ["binary", "a\0b", '5:97 matrix.vary.prompt[1] names "b.txt", which is no text: it holds a zero byte'],
    [
      "too large",
      "x".repeat(1024 * 1024 + 1),
      '5:97 matrix.vary.prompt[1] names "b.txt", which has 1,048,577 bytes, and a prompt at most 1 MiB',
    ],
    [
      "not Liquid",
      "one\ntwo {{ question",
      '5:97 matrix.vary.prompt[1] b.txt:2:5 is not Liquid: output "{{ question" not closed. For braces that are sent as they are: {% raw %}{{name}}{% endraw %}.',
    ],
  ])("that are %s are refused with their place", async (_, text, expected) => {
    const { "b.txt": _own, ...others } = files;
    const given = text === null ? others : { ...others, "b.txt": text };
    expect(await faults(prompts("endpoint: chat-completions, models: [m]"), given)).toEqual([expected]);
  });

  test("that are a folder are refused", async () => {
    const given = { "a.txt": "a", "b.txt/c": "c" };
    expect(await faults(prompts("endpoint: chat-completions, models: [m]"), given)).toEqual([
      '5:97 matrix.vary.prompt[1] names "b.txt", which is no file. Name a text file with the prompt.',
    ]);
  });

  test("have no place in an endpoint that has none for them, or where the body has something", async () => {
    const own = 'endpoint: { path: /c, answer: $.a, body: { q: "{{ input_prompt }}" } }';
    expect((await faults(prompts(own), files)).join("\n")).toContain(
      "matrix.vary.prompt[0] is for an endpoint that has no place for it",
    );
    const twice = prompts("endpoint: chat-completions, models: [m]", ", body: { system_prompt: x }");
    expect((await faults(twice, files)).join("\n")).toContain(
      "becomes system_prompt, which body sets too. Keep one of them.",
    );
  });

  test("a template in the body of a judge is refused: it has no row", async () => {
    const judge =
      'judges: { j: { deployment: prod, endpoint: chat-completions, model: m, body: { x: "{{question}}" } } }\n';
    expect((await faults(`${prompts("endpoint: chat-completions, models: [m]")}${judge}`, files)).join("\n")).toContain(
      "judges.j.body.x is a template, and a judge has no row that fills it",
    );
  });
});

describe("dimensions that flags lay over a suite", () => {
  test("are added to its matrix, in place of what it says of them", async () => {
    const { suite } = await load(chat('  vary: { "body.t": [1, 2] }\n'), {}, { model: ["x", "y"], "body.t": [3, 4] });
    expect(suite.targets.map(({ name }) => name)).toEqual(["x:t=3", "x:t=4", "y:t=3", "y:t=4"]);
  });

  test("make a matrix of a single target, with all that it says", async () => {
    const single =
      "targets: { bot: { deployment: prod, endpoint: video-bots, example_id: m, mode: async, price: 2, body: { a: 1 } } }\n";
    const { suite } = await load(single, {}, { "body.t": [0, 1] });
    expect(suite.targets).toMatchObject([
      { name: "t=0", exampleId: "m", mode: "async", price: 2, body: { a: 1, t: 0 } },
      { name: "t=1", exampleId: "m", mode: "async", price: 2, body: { a: 1, t: 1 } },
    ]);
  });

  test("are refused over several targets", async () => {
    const two = stringify({
      targets: parse(
        "{ a: { deployment: prod, endpoint: functions, example_id: a }, b: { deployment: prod, endpoint: functions, example_id: b } }",
      ),
    });
    await expect(load(two, {}, { "body.t": [0] })).rejects.toMatchObject({ code: "USAGE" });
  });
});
