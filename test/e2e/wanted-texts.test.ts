import { describe, expect, test } from "vitest";
import { graded } from "./graded.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const blank = "(the wanted text is blank)";
const row = (columns: Record<string, unknown>) => ({ answer: "Nonsense about fish. 7", ...columns });

describe("a wanted text that is blank in a row", () => {
  test("is left out of a list, and a row that has none left is not graded", async () => {
    const { grades, said } = await graded(
      [
        row({ e1: "fish", e2: "" }),
        row({ e1: "cows", e2: "  " }),
        row({ e1: "", e2: "" }),
        row({ e1: "\u200b", e2: "fish" }),
      ],
      [
        '{ name: any, type: contains-any, value: ["{{ row.e1 }}", "{{ row.e2 }}"] }',
        '{ name: all, type: contains-all, value: ["{{ row.e1 }}", "{{ row.e2 }}"] }',
        '{ name: none, type: contains-any, value: ["{{ row.e1 }}", "{{ row.e2 }}"], not: true }',
        '{ name: one, type: icontains, value: "{{ row.e1 }}" }',
        '{ name: start, type: starts-with, value: "{{ row.e1 }}", exact: true, not: true }',
      ],
    );
    expect(grades).toEqual({
      any: ["pass", "fail", blank, "pass"],
      all: ["pass", "fail", blank, "pass"],
      none: ["fail", "pass", blank, "fail"],
      one: ["pass", "fail", blank, blank],
      start: ["pass", "pass", blank, blank],
    });
    expect(said).toContain("2 × not graded by one: the wanted text is blank (such as row 3)");
  });

  test("is left out whatever it comes from: the expected answer, JSON paths, measures, lists of urls and functions", async () => {
    const { grades } = await graded(
      [
        row({ expected: '["", "fish"]', e: "7" }),
        row({ expected: '["", " "]', e: "" }),
        row({ expected: "cows", e: "\u00a0" }),
      ],
      [
        "{ name: expected, type: contains-any }",
        "{ name: one-of, type: one-of, not: true }",
        '{ name: literal, type: contains-any, value: ["", "cows"] }',
        '{ name: nothing, type: contains, value: " " }',
        '{ name: path, type: json-path, on: "$", path: "$.output_text[0]", contains: "{{ row.e }}" }',
        '{ name: equals, type: json-path, on: "$", path: "$.output_text[0]", equals: "{{ row.e }}", not: true }',
        '{ name: bounded, type: json-path, on: "$", path: "$.output_text[0]", contains: "{{ row.e }}", min: 8 }',
        '{ name: bleu, type: bleu, value: ["{{ row.e }}"], threshold: 0, not: true }',
        '{ name: edits, type: edit-distance, value: "{{ row.e }}", threshold: 1000 }',
        '{ name: number, type: numeric, value: "{{ row.e }}", not: true }',
        '{ name: urls, type: has-references, expected_urls: "{{ row.e }}", min: 0, recall: 0 }',
        '{ name: calls, type: called-functions, value: ["{{ row.e }}"], match: none }',
        "{ name: both, type: all-of, of: [path, expected] }",
      ],
    );
    const ofE = (first: string | number) => [first, blank, blank];
    expect(grades).toEqual({
      expected: ["pass", blank, "fail"],
      "one-of": ["pass", blank, "pass"],
      literal: ["fail", "fail", "fail"],
      nothing: [blank, blank, blank],
      path: ofE("pass"),
      equals: ofE("pass"),
      bounded: ["fail", "fail", "fail"],
      bleu: ofE("fail"),
      edits: ofE("pass"),
      number: ofE("fail"),
      urls: ofE("pass"),
      calls: ofE("pass"),
      both: ["pass", blank, "fail"],
    });
  });

  test("is left out of a JSON list as an empty entry or null is, and an empty list wants nothing", async () => {
    const { grades } = await graded(
      [
        row({ expected: "[]" }),
        row({ expected: "[null]" }),
        row({ expected: '["cows", null]' }),
        row({ expected: '["fish", null, "\u200b"]' }),
        row({ expected: "\u3164" }),
        row({ expected: "\u2800\ufe0f" }),
      ],
      ["{ name: any, type: contains-any }", "{ name: none, type: contains-any, not: true }"],
    );
    expect(grades).toEqual({
      any: [blank, blank, "fail", "pass", blank, blank],
      none: [blank, blank, "pass", "fail", blank, blank],
    });
  });

  test("is not what a choice called A is to the rules of SQuAD, which leave out articles", async () => {
    const answers = [".", "the", "B", "A.", "(a)"];
    const { grades } = await graded(
      answers.map((answer) => ({ answer, expected: "A" })),
      ["{ name: exact, type: exact-match }", "{ name: f1, type: token-f1, threshold: 1 }"],
    );
    const right = ["fail", "fail", "fail", "pass", "pass"];
    expect(grades).toEqual({ exact: right, f1: right });
  });

  test("is left out of the checks of a row", async () => {
    const contains = (name: string) => ({ type: "contains", value: `{{ row.${name} }}` });
    const checks = [contains("e1"), { set: [contains("e2"), { type: "icontains", value: "" }], threshold: 0.5 }];
    const { grades } = await graded(
      [
        row({ e1: "cows", e2: "fish", checks }),
        row({ e1: "", e2: "fish", checks }),
        row({ e1: "", e2: "", checks }),
        row({ e1: "fish", e2: "", checks: [...checks, { type: "contains", value: "{{ row.e2 }}", not: true }] }),
      ],
      ["{ name: checks, type: checks }", "{ name: mean, type: row-mean, of: [checks] }"],
      { mapping: ", scorers: checks" },
    );
    expect(grades).toEqual({
      checks: ["fail", "pass", blank, "pass"],
      mean: ["fail", "pass", blank, "pass"],
    });
  });

  test("is left out of what comes from promptfoo, and told", async () => {
    const tandem = new Tandem().file(
      "shop/promptfooconfig.yaml",
      `prompts: ["{{q}}"]
providers: ["openai:chat:some"]
defaultTest:
  assert:
    - { type: icontains-any, value: ["{{e1}}", "{{e2}}"] }
    - { type: not-contains, value: "{{e2}}" }
    - { type: regex, value: "{{e1}}|{{e2}}" }
tests:
  - { vars: { q: one, e1: fish, e2: " " } }
  - { vars: { q: two, e1: "", e2: "" } }
  - { vars: { q: three, e1: fish, e2: cows } }
`,
    );
    const { code, err } = await tandem.run("init", "shop/promptfooconfig.yaml", "--dir", "night");
    expect(code).toBe(0);

    const rows = tandem
      .text("night/shop.tests.jsonl")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Record<string, { type: string; value: unknown }[]>)["__checks"] ?? []);
    expect(rows.map((checks) => checks.map(({ type, value }) => [type, value]))).toEqual([
      [["contains-any", ["fish"]]],
      [],
      [
        ["contains-any", ["fish", "cows"]],
        ["contains", "cows"],
        ["regex", "fish|cows"],
      ],
    ]);
    expect(err).toContain("promptfooconfig.yaml:5: the expectation icontains-any: its value is blank in the test");
  });
});

test("a list that is written in one cell is named by the check of the sheet, and stays one text", async () => {
  const lists = [`"['red', 'dark blue']"`, '"[""red""; ""blue""]"', '"red, green, blue"', "red | blue"];
  const texts = ['"Paris, France"', '"[""red"", ""blue""]"', '"It is red, and at times blue, or so they say."'];
  const rows = [...lists, ...texts].map((cell, place) => `k${place},question ${place},${cell}`);
  const tandem = new Tandem().file("a.csv", ["id,question,expected", ...rows, ""].join("\n")).file(
    "suite.yaml",
    `dataset: a.csv
deployments: { prod: { base_url: "http://127.0.0.1:1" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ type: contains }]
`,
  );
  const saidBy = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await tandem.run(...args);
    expect(code, err).toBe(0);
    return out + err;
  };
  const note = "which looks like a list and is compared as one text";
  const checked = await saidBy("check", "--offline", "suite.yaml");
  // Each row, and the scorer that compares with the first.
  expect(checked.split(note)).toHaveLength(lists.length + 2);
  expect(checked).toContain('contains-any (or contains-all) with value: ["{{ row.e1 }}", "{{ row.e2 }}"]');
  // The first of them, and how many more there are.
  expect(await saidBy("init", "a.csv", "--dir", "night")).toContain(note);
});

test("a list that is written in one cell is told by check and run where a scorer compares with it", async () => {
  const service = await startService(() => record("It is red."));
  const suite = (scorer: string): string =>
    `dataset: a.csv
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [${scorer}]
`;
  const rows = ["Paris", `"['red', 'blue']"`, "red | blue", '"[""red"", ""blue""]"', '"red, green, blue"'];
  const tandem = new Tandem()
    .file("a.csv", ["id,question,expected", ...rows.map((cell, at) => `k${at},question ${at},${cell}`), ""].join("\n"))
    .file("suite.yaml", suite("{ type: contains }"))
    .file("length.yaml", suite("{ type: length, min: 1 }"));
  const note = "which looks like a list and is compared as one text";
  for (const [command, times] of [
    [["check", "--offline"], 4],
    [["run"], 1],
  ] as const) {
    const { out, err } = await tandem.run(...command, "suite.yaml");
    const said = (out + err).replaceAll(/\s+/g, " ");
    expect(said.split(note)).toHaveLength(times + 1);
    expect(said).toContain(`a.csv:3 (row 3): the expected answer holds "['red', 'blue']", ${note}`);
    expect(said).toContain("2 more rows are like it.");
    if (times === 1) expect((await tandem.run(...command, "length.yaml")).err).not.toContain(note);
  }
});

describe("typographic variants", () => {
  test("are one to contains, equals, starts-with and theirs, unless exact is asked for", async () => {
    const { grades } = await graded(
      [
        { answer: "We can\u2019t say \u2013 \u201cmaybe\u201d\u2026", w: 'can\'t say - "maybe"...' },
        { answer: 'L\'Été "vert"', w: "l\u2019été \u00abvert\u00bb" },
        { answer: "\uff2f\uff2b\uff1a\uff12\uff15\uff05", w: "OK:25%" },
        { answer: "Rufen Sie \u201eAnna\u201c an: 030\u2011123", w: '"Anna" an: 030-123' },
        { answer: "another thing", w: "can't" },
      ],
      [
        '{ name: contains, type: contains, value: "{{ row.w }}" }',
        '{ name: icontains, type: icontains, value: "{{ row.w }}" }',
        '{ name: exact, type: contains, value: "{{ row.w }}", exact: true }',
        '{ name: iexact, type: icontains, value: "{{ row.w }}", exact: true }',
        '{ name: not, type: contains, value: "{{ row.w }}", not: true }',
        '{ name: any, type: contains-any, value: ["{{ row.w }}", "xyz"] }',
        '{ name: all, type: contains-all, value: ["{{ row.w }}"] }',
        '{ name: ends, type: ends-with, value: "{{ row.w }}" }',
        '{ name: starts, type: starts-with, value: "{{ row.w }}", ignore_case: true }',
        '{ name: equals, type: equals, value: "{{ row.w }}", ignore_case: true }',
        '{ name: one-of, type: one-of, value: ["{{ row.w }}", "xyz"], ignore_case: true }',
      ],
    );
    const [most, none] = [
      ["pass", "fail", "pass", "pass", "fail"],
      ["fail", "fail", "fail", "fail", "fail"],
    ];
    const whole = ["fail", "pass", "pass", "fail", "fail"];
    expect(grades).toEqual({
      contains: most,
      icontains: ["pass", "pass", "pass", "pass", "fail"],
      exact: none,
      iexact: none,
      not: ["fail", "pass", "fail", "fail", "pass"],
      any: most,
      all: most,
      ends: most,
      starts: whole,
      equals: whole,
      "one-of": whole,
    });
  });

  test("are one with the spaces that French has inside of quotes", async () => {
    const { grades } = await graded(
      [
        { answer: "Elle dit \u00ab\u00a0oui\u00a0\u00bb, puis rien.", w: 'dit "oui", puis' },
        { answer: "\u00ab\u202foui\u202f\u00bb", w: "\u00aboui\u00bb" },
        { answer: 'Elle dit "oui".', w: "\u00ab oui \u00bb" },
        { answer: "Er sagt \u00bbja\u00ab und \u00bbnein\u00ab.", w: 'sagt "ja" und "nein".' },
      ],
      [
        '{ name: contains, type: contains, value: "{{ row.w }}" }',
        '{ name: exact, type: contains, value: "{{ row.w }}", exact: true }',
      ],
    );
    expect(grades).toEqual({
      contains: ["pass", "pass", "pass", "pass"],
      exact: ["fail", "fail", "fail", "fail"],
    });
  });

  test("are looked for by themselves where a wanted text is nothing else", async () => {
    const { grades } = await graded(
      [{ answer: "A well-known one - 'x', \"y\"..." }, { answer: "Yes \u2014 \u201cno\u201d\u2026\u00a0\uff1f" }],
      [
        '{ name: dash, type: contains, value: "\u2014", not: true }',
        '{ name: hyphen, type: contains, value: "-" }',
        '{ name: quotes, type: contains-any, value: ["\u201c", "\u201d"], not: true }',
        '{ name: dots, type: icontains, value: "..." }',
        '{ name: ellipsis, type: contains, value: "\u2026" }',
        '{ name: space, type: contains, value: "\u00a0", not: true }',
        '{ name: wide, type: ends-with, value: "\uff1f" }',
      ],
    );
    expect(grades).toEqual({
      dash: ["pass", "fail"],
      hyphen: ["pass", "fail"],
      quotes: ["pass", "fail"],
      dots: ["pass", "fail"],
      ellipsis: ["fail", "pass"],
      space: ["pass", "fail"],
      wide: ["fail", "pass"],
    });
  });

  test("differ in what comes from promptfoo, also where the answer is trimmed", async () => {
    const assert = [
      { type: "equals", value: "it's (5 - 3)" },
      { type: "starts-with", value: "it's" },
      { type: "icontains", value: "IT'S" },
    ];
    const trimmed = assert.map((each) => ({ ...each, transform: "output.trim()" }));
    const tandem = new Tandem().file(
      "shop/promptfooconfig.yaml",
      JSON.stringify({
        prompts: ["{{q}}"],
        providers: ["openai:chat:some"],
        tests: [{ vars: { q: "x" }, assert: [...assert, ...trimmed] }],
      }),
    );
    expect((await tandem.run("init", "shop/promptfooconfig.yaml", "--dir", "night")).code).toBe(0);

    const { __checks: checks } = JSON.parse(tandem.text("night/shop.tests.jsonl")) as {
      __checks: Record<string, unknown>[];
    };
    const rows = checks.flatMap((check) =>
      ["it's (5 - 3)\n", "it\u2019s (5 \u2212 3)\n", "it's (5 \u2212 3)"].map((answer) => ({
        answer,
        checks: [check],
      })),
    );
    const { grades } = await graded(rows, ["{ name: checks, type: checks }"], { mapping: ", scorers: checks" });
    expect(grades["checks"]).toEqual(
      [
        ["fail", "fail", "fail"],
        ["pass", "fail", "pass"],
        ["pass", "fail", "pass"],
        ["pass", "fail", "fail"],
        ["pass", "fail", "pass"],
        ["pass", "fail", "pass"],
      ].flat(),
    );
  });
});
