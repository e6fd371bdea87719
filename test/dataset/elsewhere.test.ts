import { describe, expect, test } from "vitest";
import type { Case } from "../../src/dataset/case.ts";
import { read } from "./reading.ts";

/** Cases and notices of a sheet that nothing is configured for. */
async function readTold(
  text: string,
  given: Parameters<typeof read>[1] = {},
): Promise<{ cases: Case[]; told: string[] }> {
  const told: string[] = [];
  const options = { ...given.options, onNotice: (notice: string) => told.push(notice) };
  return { cases: await read(text, { ...given, options }), told };
}

describe("a promptfoo test sheet", () => {
  const sheet = [
    "question,__expected,__expected2,__description,__metadata:topic,__metadata:tags[],__threshold,__prefix",
    'Capital of France?,Paris,,capitals,geo,"a,b",,',
    "Two plus two?,contains: 4,llm-rubric: is polite,sums,maths,,0.8,",
    "Say hi,equals:Hello,contains:hello,greetings,,,,",
    "Give JSON,is-json,javascript: output.length > 3,,,,,Please: ",
    'Time?,"It is: late",,,,,,',
    "Cost?,cost(0.002),,,,,,",
    "Similar?,similar(0.8): the cat,,,,,,",
    "File?,file://check.js,,,,,,",
    "",
  ].join("\n");

  test("runs unchanged: descriptions and metadata become tags, one plain expectation becomes expected", async () => {
    const { cases } = await readTold(sheet);
    expect(cases.map(({ input, expected }) => [input["input_prompt"], expected])).toEqual([
      ["Capital of France?", "Paris"],
      ["Two plus two?", "4"],
      ["Say hi", null],
      ["Give JSON", null],
      ["Time?", "It is: late"],
      ["Cost?", null],
      ["Similar?", null],
      ["File?", null],
    ]);
    expect(cases[0]?.tags).toEqual({ description: "capitals", topic: "geo", tags: "a,b" });
    expect(Object.keys(cases[0]?.input ?? {})).toEqual(["input_prompt"]);
  });

  test("lists what has no counterpart", async () => {
    const { told } = await readTold(sheet);
    expect(told).toEqual([
      "prompts.csv: Of this promptfoo sheet these have no counterpart in this version, and are not looked at: " +
        "__threshold (1), llm-rubric (1), several texts for one row (1), __prefix (1), is-json (1), javascript (1), cost (1), similar (1), file:// (1)",
    ]);
  });

  test("with one variable sends it as the prompt, and functions get every variable", async () => {
    expect((await readTold("city,__expected\nParis,France\n")).cases).toMatchObject([
      { input: { input_prompt: "Paris" }, expected: "France" },
    ]);
    const { cases } = await readTold("celsius,unit,__expected\n20,F,68\n", { options: { endpoints: ["functions"] } });
    expect(cases[0]).toMatchObject({ input: { variables: { celsius: "20", unit: "F" } }, expected: "68" });
    expect(Object.keys(cases[0]?.input["variables"] ?? {})).toEqual(["celsius", "unit"]);
  });

  test("leaves expected to a mapping that names a column", async () => {
    const { cases } = await readTold("question,answer,__expected\nHi,Hello,contains:x\n", {
      input: { input_prompt: "question" },
      expected: "answer",
    });
    expect(cases[0]?.expected).toBe("Hello");
  });
});

describe("an export of chats", () => {
  const sheet = [
    "Conversation ID,Sent,User Message,Assistant Message,Feedback,Run URL",
    "c1,10:00,नमस्ते,Hello!,👍,https://example.org/1",
    "c2,10:01,Where?,Here.,,https://example.org/2",
    "c1,10:02,And then?,Then this.,👎,https://example.org/3",
    ",10:03,Alone,Yes.,,",
    "",
  ].join("\n");

  test("becomes prompts of conversations, with the stored answers in the columns", async () => {
    const { cases, told } = await readTold(sheet);
    expect(cases.map(({ input, cluster, turn, expected }) => [input, cluster, turn, expected])).toEqual([
      [{ input_prompt: "नमस्ते" }, "c1", 1, null],
      [{ input_prompt: "Where?" }, "c2", 1, null],
      [{ input_prompt: "And then?" }, "c1", 2, null],
      [{ input_prompt: "Alone" }, cases[3]?.key, 1, null],
    ]);
    expect(cases[0]?.columns).toMatchObject({ "Assistant Message": "Hello!", Feedback: "👍" });
    expect(new Set(cases.map(({ key }) => key)).size).toBe(4);
    expect(told).toEqual([
      "This is an export of chats: each User Message is a prompt. To send each turn with the replies before it, map cluster: Conversation ID and turn: __order in the suite. Assistant Message, Feedback, Run URL: kept with each case; stored answers as a baseline and feedback as labels are not in this version yet.",
    ]);
  });

  test("is not seen in a sheet that maps itself otherwise", async () => {
    expect((await readTold("question,User Message\nHi,Ho\n")).cases[0]?.input).toEqual({ input_prompt: "Hi" });
  });
});
