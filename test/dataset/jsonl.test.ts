import { describe, expect, test } from "vitest";
import { faultOf, read } from "./reading.ts";

const jsonl = { name: "p.jsonl" };

describe("JSON Lines", () => {
  test("with a mark, blank lines, CRLF and members that come later are rows of one table", async () => {
    const text = '\uFEFF{"question":"a","id":"1"}\r\n\r\n{"id":"2","question":"b","meta":{"x":[1,"é"]},"n":null}\n';
    expect((await read(text, jsonl)).map(({ columns, source }) => [columns, source.line])).toEqual([
      [{ question: "a", id: "1", meta: "", n: "" }, 1],
      [{ question: "b", id: "2", meta: '{"x":[1,"é"]}', n: "" }, 3],
    ]);
  });

  test("keep the digits of numbers that no number has room for", async () => {
    const text = '{"id":12345678901234567890,"question":"a","price":0.30000000000000004,"n":1e2}\n';
    expect((await read(text, jsonl))[0]).toMatchObject({
      key: "12345678901234567890",
      columns: { price: "0.30000000000000004", n: "1e2" },
    });
  });

  test("keep such digits inside of members too, and send nothing that has lost some", async () => {
    const text = '{"question":"a","about":{"ids":[9007199254740993],"large":1e400,"even":1e23,"small":12}}\n';
    expect((await read(text, jsonl))[0]?.columns["about"]).toBe(
      '{"ids":[9007199254740993],"large":1e400,"even":1e23,"small":12}',
    );
    const sent = '{"input_prompt":"a","variables":{"order":9007199254740993}}\n';
    expect(await faultOf(sent, jsonl)).toContain(
      'column "variables" holds the number 9007199254740993, which would be sent as 9007199254740992',
    );
    const quoted = '{"input_prompt":"a","variables":{"order":"9007199254740993","even":9007199254740992}}\n';
    expect((await read(quoted, jsonl))[0]?.input["variables"]).toEqual({
      order: "9007199254740993",
      even: 9_007_199_254_740_992,
    });
  });

  test("may be long, with escapes in their names", async () => {
    const long = "x".repeat(16_000_000);
    const [only] = await read(`{"q\\u0075estion":"${long}"}\n`, jsonl);
    expect(only?.input["input_prompt"]).toHaveLength(long.length);
  });

  test.each([
    [
      "a member twice",
      '{"question":"a","x":{"question":1}}\n{"question":"a","question":"b"}',
      ':2:28 (row 2): the member "question" stands twice',
    ],
    [
      "a member twice, once escaped",
      String.raw`{"question":"a","\u0071uestion":"b"}`,
      ':1:33 (row 1): the member "question" stands twice',
    ],
    ["a list", '["a"]\n', ":1:1 (row 1): the line must be a JSON object, got a list"],
    [
      "a comma too many",
      '{"question":"a"}\n{"question":"é",}\n',
      ':2:17 (row 2): the line is not JSON: unexpected "}"',
    ],
    [
      "a line that is cut off",
      '{"question":"a"}\n{"question":"b"',
      ":2:16 (row 2): the line is not JSON: it ends too early",
    ],
    ["an object over several lines", '{\n"question":"a"\n}\n', ":1:2 (row 1): the line is not JSON: it ends too early"],
    [
      "lists in lists without end",
      `{"question":"a"}\n{"question":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`,
      ":2:1 (row 2): the line is not JSON: it is nested deeper than 500 levels",
    ],
    [
      "objects in objects without end",
      `{"question":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}\n`,
      ":1:1 (row 1): the line is not JSON: it is nested deeper than 500 levels",
    ],
    ["no prompt", '{"question":""}\n', ':1:13 (row 1): column "question": the case is blank'],
  ])("are refused for %s, with the place", async (_what, text, said) => {
    expect(await faultOf(text, jsonl)).toContain(`p.jsonl${said}`);
  });

  test("take a line of ten megabytes", async () => {
    const [first, second] = await read(`{"question":"${"क".repeat(3_400_000)}"}\n{"question":"b"}\n`, jsonl);
    expect([first?.columns["question"]?.length, second?.columns["question"]]).toEqual([3_400_000, "b"]);
  });
});
