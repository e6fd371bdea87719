import { describe, expect, test } from "vitest";
import type { Case } from "../../src/dataset/case.ts";
import { withPrompt } from "../../src/dataset/cases/default-mapping.ts";
import { promptFields } from "../../src/dataset/cases/prompt.ts";
import { chatExport } from "../../src/dataset/import/chat-export.ts";
import type { CheckReader } from "../../src/dataset/import/check-reader.ts";
import { faultOf, mapping, read } from "./reading.ts";

/** Cases and notices of a sheet that nothing is configured for. */
async function readTold(
  text: string,
  given: Parameters<typeof read>[1] = {},
): Promise<{ cases: Case[]; told: string[] }> {
  const reported: string[] = [];
  const options = { ...given.options, onNotice: (notice: string) => reported.push(notice) };
  return { cases: await read(text, { ...given, options }), told: reported };
}

/** Knows contains and equals, and nothing else. */
const checks: CheckReader = {
  expectations: async () => (text, threshold) => {
    const [, type = "equals", value = text] = /^(contains|equals): ?(.*)$/s.exec(text) ?? [];
    const kind = /^(?:llm-rubric|javascript|is-json|cost|similar)/.exec(text)?.[0];
    return kind === undefined
      ? { scorer: { type, value, ...(threshold !== undefined && { threshold }) } }
      : { without: kind, why: /^(?:llm-rubric|javascript)$/.test(kind) ? null : `no ${kind} here` };
  },
  columnsOf: () => [],
  scorer: (value) =>
    typeof value === "object" && value !== null && "type" in value
      ? { ok: true, scorer: value }
      : { ok: false, fault: "needs a type" },
};

describe("a promptfoo test sheet", () => {
  const sheet = [
    "question,__expected,__expected2,__description,__metadata:topic,__metadata:tags[],__threshold,__prefix,__suffix,__metric",
    'Capital of France?,Paris,,capitals,geo,"a,b",,,,facts',
    "Two plus two?,contains: 4,llm-rubric: is polite,sums,maths,,0.8,,,",
    "Say hi,equals:Hello,contains:hello,greetings,,,,,,",
    "Give JSON,is-json,javascript: output.length > 3,,,,,Please: , thanks,",
    'Time?,"It is: late",,,,,,,,',
    "Cost?,cost(0.002),,,,,,,,",
    "Similar?,similar(0.8): the cat,javascript: 1,,,,,,,",
    "",
  ].join("\n");

  test("runs unchanged: descriptions, metrics and metadata become tags, one plain expectation becomes expected", async () => {
    const { cases } = await readTold(sheet, { options: { checks } });
    expect(cases.map(({ input, expected }) => [input["input_prompt"], expected])).toEqual([
      ["Capital of France?", "Paris"],
      ["Two plus two?", "4"],
      ["Say hi", null],
      ["Please: Give JSON thanks", null],
      ["Time?", "It is: late"],
      ["Cost?", null],
      ["Similar?", null],
    ]);
    expect(cases[0]?.tags).toEqual({ description: "capitals", topic: "geo", tags: "a,b", metric: "facts" });
    expect(Object.keys(cases[0]?.input ?? {})).toEqual(["input_prompt"]);
  });

  test("gives each row its checks and their threshold", async () => {
    const { cases } = await readTold(sheet, { options: { checks } });
    expect(cases.map((one) => one.checks)).toEqual([
      { scorers: [{ type: "equals", value: "Paris" }], threshold: null },
      { scorers: [{ type: "contains", value: "4" }], threshold: 0.8 },
      {
        scorers: [
          { type: "equals", value: "Hello" },
          { type: "contains", value: "hello" },
        ],
        threshold: null,
      },
      null,
      { scorers: [{ type: "equals", value: "It is: late" }], threshold: null },
      null,
      null,
    ]);
  });

  test("lists what has no counterpart once, with how often and the first row", async () => {
    const { told: reported } = await readTold(sheet, { options: { checks } });
    expect(reported).toEqual([
      "prompts.csv: These expectations of promptfoo are not graded: " +
        "llm-rubric (row 3), is-json (row 5), javascript (2, first in row 5), cost (row 7), similar (row 8). " +
        "`tandem init` with this sheet makes a judge and a module of the rubrics and the javascript. " +
        "is-json: no is-json here. cost: no cost here. similar: no similar here.",
    ]);
  });

  test("takes the threshold of one expectation, and refuses one that is no number with its place", async () => {
    const config = "question,__expected1,__config:__expected1:threshold\nHi,contains: a,0.7\n";
    expect((await read(config, { options: { checks } }))[0]?.checks?.scorers).toEqual([
      { type: "contains", value: "a", threshold: 0.7 },
    ]);
    expect(await faultOf("question,__expected,__threshold\nHi,x,high\n", { options: { checks } })).toContain(
      'prompts.csv:2:6 (row 2): column "__threshold": the threshold must be a number, got "high"',
    );
  });

  test("with one variable sends it as the prompt, the others as variables; functions get every variable", async () => {
    expect((await readTold("city,__expected\nParis,France\n")).cases).toMatchObject([
      { input: { input_prompt: "Paris" }, expected: "France" },
    ]);
    expect((await readTold("language,question,__expected\nFrench,Hello?,Bonjour\n")).cases[0]?.input).toEqual({
      input_prompt: "Hello?",
      variables: { language: "French" },
    });
    const { cases } = await readTold("celsius,unit,__expected\n20,F,68\n", { options: { endpoints: ["functions"] } });
    expect(cases[0]).toMatchObject({ input: { variables: { celsius: "20", unit: "F" } }, expected: "68" });
    expect(Object.keys(cases[0]?.input["variables"] ?? {})).toEqual(["celsius", "unit"]);
  });

  test.each(["language,input,__expected", "language,body,style,__expected,__metadata:x", "text,tone,__prefix"])(
    "of variables (%s) is refused with the question for the prompt",
    async (header) => {
      const cells = header.split(",").map(() => "French");
      const said = await faultOf(`${header}\n${cells.join(",")}\n`);
      expect(said).toContain("PROMPT_NEEDED prompts.csv is a promptfoo sheet: its columns");
      const [first = ""] = header.split(",");
      expect(said).toContain(`--prompt '... {{${first}}} ...`);
    },
  );

  test("says that its only column is sent as the whole prompt, unless it has the name of a question", async () => {
    expect((await readTold("body,__expected\nHello,icontains:ahoy\n", { options: { checks } })).told).toEqual([
      expect.stringMatching(/The column "body" is sent as the whole prompt.*--prompt '\.\.\. \{\{body\}\} \.\.\.'/),
    ]);
    expect((await readTold("question,__expected\nHello,x\n", { options: { checks } })).told).toEqual([]);
  });

  test("fills the prompt that is given for it, a text or a chat", async () => {
    const header = ["language", "my input", "__expected"];
    const text = withPrompt(promptFields('Translate {{ row["my input"] }} to {{language}}'), header);
    const variables = `${header.join(",")}\nFrench,Hello,contains:Bonjour\n`;
    expect(await read(variables, text)).toMatchObject([{ input: { input_prompt: "Translate Hello to French" } }]);
    const chat = (system: string): string =>
      JSON.stringify([
        { role: "system", content: system },
        { role: "user", content: "To {{language}}" },
      ]);
    expect((await read(variables, withPrompt(promptFields(chat("Be brief.")), header)))[0]?.input).toEqual({
      input_prompt: "To French",
      messages: [{ role: "system", content: "Be brief." }],
    });
    expect((await read(variables, withPrompt(promptFields(chat("Speak {{language}}.")), header)))[0]?.input).toEqual({
      input_prompt: "Speak French.\n\nTo French",
    });
  });

  test("leaves expected to a mapping that names a column", async () => {
    const { cases } = await readTold("question,answer,__expected\nHi,Hello,contains:x\n", {
      input: { input_prompt: "question" },
      expected: "answer",
    });
    expect(cases[0]?.expected).toBe("Hello");
  });
});

describe("a column of scorers", () => {
  test("gives each row its own, one or a list, beside what promptfoo's columns say", async () => {
    const sheet = [
      "question,grade,__expected",
      'a,"{""type"": ""regex"", ""value"": ""x""}",',
      'b,"[{""type"": ""a""}, {""type"": ""b""}]",Paris',
      "c,,",
    ].join("\n");
    const cases = await read(sheet, { scorers: "grade", options: { checks } });
    expect(cases.map((one) => one.checks?.scorers)).toEqual([
      [{ type: "regex", value: "x" }],
      [{ type: "equals", value: "Paris" }, { type: "a" }, { type: "b" }],
      undefined,
    ]);
  });

  test("is a fault with its row and place where a cell does not fit", async () => {
    const text = await faultOf('question,grade\na,"{""type"": }"\nb,"[{""type"": ""x""}, 7]"\n', {
      scorers: "grade",
      options: { checks },
    });
    expect(text).toContain(
      'prompts.csv:2:3 (row 2): column "grade": the column of scorers is not JSON: unexpected "}" at character 10',
    );
    expect(text).toContain('prompts.csv:3:3 (row 3): column "grade": scorer 2: needs a type');
  });
});

describe("an export of chats", () => {
  const header = ["Conversation ID", "Sent", "User Message", "Assistant Message", "Feedback", "Run URL"];
  const rows = [
    "c1,2026-11-03 10:02,And then?,Then this.,👎,https://example.org/3",
    "c1,2026-11-03 10:00,नमस्ते,Hello!,👍,https://example.org/1",
    "c2,2026-11-03 10:01,Where?,Here.,,https://example.org/2",
    ",2026-11-03 10:03,Alone,Yes.,,",
  ];
  const sheet = [header.join(","), ...rows, ""].join("\n");

  test("is told by its header: prompts, conversations in the order of their times, stored answers", async () => {
    const chat = chatExport(mapping(), header, []);
    expect(chat?.mapping).toMatchObject({
      input: { input_prompt: "User Message" },
      cluster: "Conversation ID",
      turn: "__order",
      orderBy: "Sent",
    });
    expect(chat?.stored).toEqual({
      answer: "Assistant Message",
      runId: null,
      url: "Run URL",
      createdAt: "Sent",
      label: "Feedback",
      note: null,
    });
    expect(chatExport(mapping(), ["Question", "Answer"], [])).toBeNull();
    expect(chatExport(mapping(), ["User Message", "Note"], [])).toBeNull();
    expect(chatExport(mapping({ input: { input_prompt: "Note" } }), header, [])).toBeNull();
    expect(chatExport(mapping(), ["conversation_id", "user_message", "ASSISTANT MESSAGE"], [])?.stored?.answer).toBe(
      "ASSISTANT MESSAGE",
    );
  });

  test("becomes conversations with the answers that were given", async () => {
    const chat = chatExport(mapping(), header, []);
    const columns = chat?.stored;
    if (chat === null || columns === null || columns === undefined) throw new Error("not an export of chats");
    const cases = await read(sheet, { ...chat.mapping, options: { stored: [{ target: "stored", columns }] } });
    expect(cases.map(({ input, cluster, turn }) => [input["input_prompt"], cluster, turn])).toEqual([
      ["And then?", "c1", 2],
      ["नमस्ते", "c1", 1],
      ["Where?", "c2", 1],
      ["Alone", cases[3]?.key, 1],
    ]);
    expect(cases[0]?.stored).toEqual([
      {
        target: "stored",
        text: "Then this.",
        runId: null,
        url: "https://example.org/3",
        createdAt: "2026-11-03 10:02",
        label: "👎",
        note: null,
      },
    ]);
    expect(cases[3]?.stored?.[0]).toMatchObject({ text: "Yes.", url: null, label: null });
    expect(new Set(cases.map(({ key }) => key)).size).toBe(4);
  });

  test("is missed with the key of the suite that names a column it does not have", async () => {
    const columns = { answer: "Assistent Message", runId: null, url: null, createdAt: null, label: null, note: null };
    const stored = [{ target: "before", columns }];
    expect(await faultOf(sheet, { input: { input_prompt: "User Message" }, options: { stored } })).toMatch(
      /no column "Assistent Message", which targets\.before\.answers names.*Did you mean "Assistant Message"/,
    );
  });
});
