import { describe, expect, test } from "vitest";
import { hashText } from "../../src/lib/hash.ts";
import { canonicalJson } from "../../src/lib/json.ts";
import { faultOf, read } from "./reading.ts";

const functions = { options: { endpoints: ["functions" as const] } };

describe("columns that map themselves", () => {
  test("are those named like request fields", async () => {
    const [first] = await read(
      'id,input_prompt,variables.tone,input_images,variables,sampling_temperature,expected,note\n1,Hi,formal,"[""a"",""b""]","{""x"": {""y"": 1}}",0.5,Yes,n\n',
    );
    expect(first).toMatchObject({
      key: "1",
      expected: "Yes",
      input: {
        input_prompt: "Hi",
        variables: { tone: "formal", x: { y: 1 } },
        input_images: ["a", "b"],
        sampling_temperature: 0.5,
      },
    });
    expect(Object.keys(first?.input ?? {})).not.toContain("note");
  });

  test("are a question and an answer in any case", async () => {
    expect(await read("Question,Answer\nHi,Hello\n")).toMatchObject([
      { input: { input_prompt: "Hi" }, expected: "Hello" },
    ]);
    expect(await read("QUERY,golden_answer\nHi,Hello\n")).toMatchObject([
      { input: { input_prompt: "Hi" }, expected: "Hello" },
    ]);
  });

  test("are all others for a function", async () => {
    const [first] = await read("id,celsius,unit,expected\n1,20,F,68\n", functions);
    expect(first).toMatchObject({ key: "1", input: { variables: { celsius: "20", unit: "F" } }, expected: "68" });
    expect(Object.keys(first?.input ?? {})).toEqual(["variables"]);
  });

  test("are missed with the columns there are", async () => {
    expect(await faultOf("a,b\n1,2\n")).toMatch(
      /COLUMN_UNKNOWN prompts.csv has no column that could be sent.*It has: a, b\./,
    );
    expect(await faultOf("a,constructor\n1,2\n", functions)).toContain("must not have a part named constructor");
  });

  test("without a name are called by their place", async () => {
    expect(await read(",question,\n0,Hi,\n")).toMatchObject([
      { columns: { "column 1": "0", question: "Hi", "column 3": "" } },
    ]);
  });
});

describe("a mapping", () => {
  test("that names no column says what was meant", async () => {
    const text = await faultOf("id,question,language\n1,Hi,en\n", { input: { input_prompt: "qestion" } });
    expect(text).toBe(
      'COLUMN_UNKNOWN prompts.csv has no column "qestion", which case.input.input_prompt names. Did you mean "question"? The file has: id, question, language.',
    );
    expect(await faultOf("id,q\n1,Hi\n", { input: { input_prompt: "q" }, tags: ["lang"] })).toContain(
      "case.tags names",
    );
  });

  test.each([
    ["chat-completions", "prompt", "input_prompt: q"],
    ["video-bots", "question", "input_prompt: q"],
    ["embeddings", "text", "input_prompt: q"],
  ] as const)("under which every row of %s would be blank says so once", async (endpoint, field, wanted) => {
    const input = { [field]: "q" };
    const text = await faultOf("id,q\n1,Hi\n2,Ho\n", { input, options: { endpoints: [endpoint] } });
    expect(text).toContain(`PROMPT_NEEDED prompts.csv: case.input maps "${field}", but ${endpoint} is asked with`);
    expect(text).toContain(`write \`input: { ${wanted} }\``);
    expect(text).not.toContain("the case is blank");
  });

  test("may be a Liquid template over the row", async () => {
    const input = {
      input_prompt: '{{ question | strip }} ({{ row["Sprache / भाषा"] }}){% if note != "" %}!{% endif %}',
    };
    const [first] = await read("question,Sprache / भाषा,note\n  Hi ,हिन्दी,{{ question }}\n", { input });
    expect(first?.input).toEqual({ input_prompt: "Hi (हिन्दी)!" });
  });

  test.each([
    [
      "an unknown column",
      "{{ qestion }}",
      'has no column "qestion", which the template of case.input.input_prompt names. Did you mean "question"?',
    ],
    ["an unknown filter", "{{ question | shout }}", "shout"],
    ["a file", "{% include 'x' %}{{ question }}", "SUITE_INVALID The template of case.input.input_prompt is not valid"],
    ["broken syntax", "{{ question", "SUITE_INVALID"],
  ])("with a template of %s is refused", async (_what, template, part) => {
    expect(await faultOf("question\nHi\n", { input: { input_prompt: template } })).toContain(part);
  });

  test("reaches no prototype from a template", async () => {
    const [first] = await read("question\nHi\n", {
      input: { input_prompt: "{{ question.constructor }}|{{ question }}" },
    });
    expect(first?.input).toEqual({ input_prompt: "|Hi" });
  });

  test("makes a list of one from plain text, and nothing from an empty cell", async () => {
    const cases = await read('p,i,m\na,http://x/1.png,\nb,,"[{""role"":""user"",""content"":""x""}]"\n', {
      input: { input_prompt: "p", input_images: "i", messages: "m" },
    });
    expect(cases.map(({ input }) => [input["input_images"], input["messages"]])).toEqual([
      [["http://x/1.png"], []],
      [[], [{ role: "user", content: "x" }]],
    ]);
  });
});

describe("what a field comes from", () => {
  test("may be told its type, be a constant, or a list of columns", async () => {
    const [first, second] = await read(
      'question,age,member,extra,photo,scan,code\nHi,7.50,YES,"{""b"":1,""a"":[null,""x""]}",https://a/1.png,https://a/2.png,007\nHo,,,,,https://a/3.png,8\n',
      {
        input: {
          input_prompt: "question",
          "variables.age": { column: "age", type: "number" },
          "variables.member": { column: "member", type: "boolean" },
          "variables.extra": { column: "extra", type: "json" },
          "variables.code": { column: "code", type: "text" },
          "variables.again": "code",
          "variables.sum": { column: "{{ age | plus: 1 }}", type: "number" },
          "variables.channel": { value: { z: [1], name: "web" } },
          "variables.pair": ["code", { column: "age", type: "number" }, { value: true }],
          input_images: ["photo", "scan"],
        },
      },
    );
    expect(first?.input).toEqual({
      input_prompt: "Hi",
      input_images: ["https://a/1.png", "https://a/2.png"],
      variables: {
        again: "007",
        age: 7.5,
        channel: { name: "web", z: [1] },
        code: "007",
        extra: { b: 1, a: [null, "x"] },
        member: true,
        pair: ["007", 7.5, true],
        sum: 8.5,
      },
    });
    expect(second?.input).toEqual({
      input_prompt: "Ho",
      input_images: ["https://a/3.png"],
      variables: { again: "8", channel: { name: "web", z: [1] }, code: "8", pair: ["8", true], sum: 1 },
    });
    expect(first?.inputHash).toBe(hashText(canonicalJson(first?.input ?? {}), 32));
  });

  test.each([
    ["number", "3,5", 'column "x" must be a number, got "3,5"'],
    [
      "number",
      "9007199254740993",
      'column "x" holds the number 9007199254740993, which would be sent as 9007199254740992',
    ],
    ["boolean", "perhaps", 'column "x" must be true or false, got "perhaps"'],
    ["json", "{a: 1}", 'column "x" is not JSON: unexpected "a" at character 2'],
  ] as const)("as %s must fit", async (type, cell, part) => {
    const input = { input_prompt: "q", "variables.x": { column: "x", type } };
    expect(await faultOf(`q,x\nHi,"${cell}"\n`, { input })).toContain(part);
  });

  test("may be the name of the file, which every row has where there are several", async () => {
    const mapped = { input: { input_prompt: "{{ question }} ({{ __file }})" }, tags: ["__file"] };
    const [first] = await read("question\nHi\n", mapped);
    expect(first).toMatchObject({ input: { input_prompt: "Hi (prompts.csv)" }, tags: { __file: "prompts.csv" } });
    const [alone] = await read("question\nHi\n");
    expect(alone?.columns).toEqual({ question: "Hi" });
  });
});

describe("keys", () => {
  test("come from the input where no column is named, and repetitions are numbered", async () => {
    const text = "question,note\na,1\nb,2\na,3\na,4\n";
    const keys = (await read(text)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
    expect(keys[2]).toBe(`${keys[0]}#2`);
    expect(keys[3]).toBe(`${keys[0]}#3`);
    expect((await read(text.replace("1", "9"))).map(({ key }) => key)).toEqual(keys);
  });

  test("ignore an id column that an explicit mapping does not name", async () => {
    const [first] = await read("id,question\n1,a\n", { input: { input_prompt: "question" } });
    expect(first?.key).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("conversations", () => {
  const columns = { key: null, input: { input_prompt: "say" }, cluster: "talk", turn: "turn", opening: "before" };

  test("have turns of a cluster anywhere in the file, and an opening on the first", async () => {
    const opening = '"[{""role"":""system"",""content"":""Be kind""}]"';
    const cases = await read(
      `talk,turn,say,before\nA,2,then,${opening}\nB,1,hello,\nA,1,first,${opening}\n,1,alone,\n`,
      columns,
    );
    expect(cases.map(({ cluster, turn, input }) => [cluster, turn, input["messages"]])).toEqual([
      ["A", 2, undefined],
      ["B", 1, undefined],
      ["A", 1, [{ role: "system", content: "Be kind" }]],
      [cases[3]?.key, 1, undefined],
    ]);
  });

  test.each(["0", "1.5", "two", "", "-1"])("refuse the turn %j", async (turn) => {
    expect(await faultOf(`talk,turn,say,before\nA,${turn},x,\n`, columns)).toContain(
      "the turn must be a whole number from 1",
    );
  });

  test("may be numbered by the order of their rows", async () => {
    const cases = await read("talk,say\nA,x\nB,x\nA,x\n,x\nA,y\n", {
      input: { input_prompt: "say" },
      cluster: "talk",
      turn: "__order",
    });
    expect(cases.map(({ turn }) => turn)).toEqual([1, 1, 2, 1, 3]);
    expect(new Set(cases.map(({ key }) => key)).size).toBe(5);
  });

  test("refuse the same turn twice", async () => {
    expect(await faultOf("talk,turn,say,before\nA,1,x,\nB,1,x,\nA,1,y,\n", columns)).toContain(
      'prompts.csv:4:3 (row 4): column "turn": turn 1 of "A" is also that of row 2',
    );
  });

  test("refuse messages beside turns, also where a column maps itself", async () => {
    const text = await faultOf("talk,turn,question,messages\nA,1,x,[]\n", { cluster: "talk", turn: "turn" });
    expect(text).toContain("messages and turn cannot be mapped together");
  });
});
