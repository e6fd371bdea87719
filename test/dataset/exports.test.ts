import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { asyncProperty, assert, integer, jsonValue, array, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { learnFrom } from "../../src/app/plan/chat-export.ts";
import { FindingList } from "../../src/dataset/finding.ts";
import { JsonList } from "../../src/dataset/table/json-list.ts";
import { lookAt } from "../../src/init/sheet.ts";
import { guessRoles } from "../../src/init/roles.ts";
import { collect, faultOf, mapping, read } from "./reading.ts";
import { often, slowTest } from "../often.ts";
import { Sheets } from "../../src/dataset/sheets.ts";

const folder = fileURLToPath(new URL("../fixtures/exports/", import.meta.url));
const exported = readdirSync(folder);

const asked = ["Wann öffnet die Bibliothek?", 'पुस्तकालय कब खुलता है? ["[" ]'];
const answers = ["Um 9 Uhr.", "9 बजे"];

/** A file read as a run reads it that was given no mapping. */
async function casesOf(name: string) {
  const files = [`${folder}${name}`];
  const { chat } = await learnFrom(files, { format: undefined, sheets: new Sheets() });
  return collect({ files, mapping: chat?.mapping ?? mapping(), endpoints: ["video-bots"] });
}

describe("an export of another program", () => {
  test.each(exported.filter((name) => !name.includes("chat")))("is read without a mapping: %s", async (name) => {
    const cases = await casesOf(name);
    expect(cases.map(({ input, expected }) => [input, expected])).toEqual(
      asked.map((question, place) => [{ input_prompt: question }, answers[place]]),
    );
  });

  test.each(exported.filter((name) => name.includes("chat")))(
    "of conversations is asked as turns: %s",
    async (name) => {
      const cases = await casesOf(name);
      expect(cases.map(({ input, expected }) => [input["input_prompt"], expected])).toEqual([[asked[0], answers[0]]]);
    },
  );

  test.each(exported.filter((name) => !name.includes("chat")))(
    "is understood in the same way by init: %s",
    async (name) => {
      const [first] = await casesOf(name);
      const roles = guessRoles(await lookAt(`${folder}${name}`, { sheets: new Sheets() }), null);
      const cells = first?.columns ?? {};
      expect([cells[roles?.question ?? ""], cells[roles?.answer ?? ""]]).toEqual([asked[0], answers[0]]);
    },
  );
});

describe("members of an object", () => {
  const lines = (...values: object[]): string => values.map((value) => JSON.stringify(value)).join("\n");

  test("are columns beside the one that has the object, also those that come later", async () => {
    const text = lines(
      ...Array.from({ length: 150 }, (_, i) => ({ id: `${i}`, inputs: { question: `q${i}` }, metadata: { n: i } })),
      { id: "late", inputs: { question: "q", more: [1] }, metadata: { lang: "hi" } },
    );
    const cases = await read(text, { name: "x.jsonl", tags: ["metadata.n"] });
    expect(cases.at(7)).toMatchObject({ input: { input_prompt: "q7" }, tags: { "metadata.n": "7" } });
    expect(cases.at(-1)?.columns).toEqual({
      id: "late",
      inputs: '{"question":"q","more":[1]}',
      metadata: '{"lang":"hi"}',
      "inputs.question": "q",
      "inputs.more": "[1]",
      "metadata.n": "",
      "metadata.lang": "hi",
    });
  });

  test("are not looked for in a column of texts, nor in objects of another name", async () => {
    const texts = lines({ input: '{"a": 1} is JSON', expected: "x" }, { input: "plain", expected: "x" });
    expect((await read(texts, { name: "x.jsonl" })).map(({ input }) => input["input_prompt"])).toEqual([
      '{"a": 1} is JSON',
      "plain",
    ]);
    const [other] = await read(lines({ question: "q", extra: { a: 1 } }), { name: "x.jsonl" });
    expect(Object.keys(other?.columns ?? {})).toEqual(["question", "extra"]);
  });

  test("are the answer where one is called so; another object is the answer itself", async () => {
    const expectedOf = async (row: object) =>
      (await read(lines({ question: "q", ...row }), { name: "x.jsonl" }))[0]?.expected;
    expect(await expectedOf({ expected: { answer: "a", why: "b" } })).toBe("a");
    expect(await expectedOf({ expected: { total: 3 } })).toBe('{"total":3}');
    expect(await expectedOf({ outputs: { total: 3 } })).toBe("3");
    expect(await expectedOf({ expectedOutput: { total: 3, of: 4 } })).toBe('{"total":3,"of":4}');
  });

  test("are not more than 200 columns, and no name of them reaches the program", async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`m${i}`, i]));
    const [first] = await read(`{"input":{"__proto__":"p","question":"q"},"metadata":${JSON.stringify(many)}}`, {
      name: "x.jsonl",
    });
    expect(Object.keys(first?.columns ?? {})).toHaveLength(202);
    expect(first?.input).toEqual({ input_prompt: "q" });
    expect(Object.hasOwn(Object.prototype, "question")).toBe(false);
  });
});

describe("a JSON file", () => {
  const join = async (pieces: Buffer[]) => {
    const faults = new FindingList();
    async function* chunks() {
      yield* pieces;
    }
    const parts: Buffer[] = [];
    for await (const part of new JsonList("x.json", faults).lines(chunks())) parts.push(part);
    return { text: Buffer.concat(parts).toString(), faults: faults.listed.map(({ message }) => message) };
  };

  test("of one list is an entry a line, however it is written and wherever its pieces end", async () => {
    const any = array(record({ a: jsonValue(), b: jsonValue() }), { minLength: 1, maxLength: 5 });
    await assert(
      asyncProperty(any, integer({ min: 0, max: 3 }), integer({ min: 1, max: 7 }), async (value, space, size) => {
        const whole = Buffer.from(`\n ${JSON.stringify(value, null, space)}\r\n`);
        const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
          whole.subarray(i * size, (i + 1) * size),
        );
        const { text, faults } = await join(pieces);
        expect(
          text
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line)),
        ).toEqual(JSON.parse(JSON.stringify(value)));
        expect(faults).toEqual([]);
      }),
      { numRuns: often(20, 50) },
    );
  });

  test.each([
    ['[{"question":"q"}', "the list of the file is not closed"],
    ['[{"question":"q"}] x', "something stands behind the list"],
    ['[{"question":"q"}, 3]', "the entry must be a JSON object, got"],
    ['[{"question":}]', "x.json:1:14 (row 1): the entry of the list is not JSON"],
    ['[{"question":"a\nb"}]', "the entry of the list is not JSON: unexpected line end"],
    [
      '[\n {"question":"q"},\n  {"id": 2, "question":\n ""}]',
      'x.json:4:2 (row 2): column "question": the case is blank',
    ],
  ])("that is none is refused: %s", async (text, message) => {
    expect(await faultOf(text, { name: "x.json" })).toContain(message);
  });

  slowTest("with an object that is too large for a text is refused with its place", async () => {
    const large = Buffer.concat([
      Buffer.from('[{"question":"a"},{"question":"'),
      Buffer.alloc(65_000_000, "x"),
      Buffer.from('"}]'),
    ]);
    expect(await faultOf(large, { name: "x.json" })).toContain("(row 2): the object has more than 64 million bytes");
  });

  test("may have an object a line", async () => {
    const cases = await read('{"question":"a"}\n{"question":"b"}\n', { name: "x.json" });
    expect(cases.map(({ input, source }) => [input["input_prompt"], source.row])).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
  });
});
