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
      columns: { price: "0.30000000000000004", n: "100" },
    });
  });

  test.each([
    [
      "a member twice",
      '{"question":"a","x":{"question":1}}\n{"question":"a","question":"b"}',
      ':2 (row 2): the member "question" stands twice',
    ],
    [
      "a member twice, once escaped",
      String.raw`{"question":"a","\u0071uestion":"b"}`,
      ':1 (row 1): the member "question" stands twice',
    ],
    ["a list", '["a"]\n', ":1 (row 1): the line must be a JSON object, got a list"],
    [
      "a comma too many",
      '{"question":"a"}\n{"question":"é",}\n',
      ':2 (row 2): the line is not JSON: unexpected "}" at character 17',
    ],
    [
      "a line that is cut off",
      '{"question":"a"}\n{"question":"b"',
      ":2 (row 2): the line is not JSON: it ends too early",
    ],
    ["an object over several lines", '{\n"question":"a"\n}\n', ":1 (row 1): the line is not JSON: it ends too early"],
    [
      "lists in lists without end",
      `{"question":"a"}\n{"question":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`,
      ":2 (row 2): the line is not JSON: it is nested deeper than 500 levels",
    ],
    [
      "objects in objects without end",
      `{"question":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}\n`,
      ":1 (row 1): the line is not JSON: it is nested deeper than 500 levels",
    ],
    ["no prompt", '{"question":""}\n', ':1 (row 1): column "question": the case is blank'],
  ])("are refused for %s, with the place", async (_what, text, said) => {
    expect(await faultOf(text, jsonl)).toContain(`p.jsonl${said}`);
  });

  test("take a line of ten megabytes", async () => {
    const [first, second] = await read(`{"question":"${"क".repeat(3_400_000)}"}\n{"question":"b"}\n`, jsonl);
    expect([first?.columns["question"]?.length, second?.columns["question"]]).toEqual([3_400_000, "b"]);
  });
});
