import { type LeftOutRow, leftOutText } from "../../src/dataset/left-out.ts";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashText } from "../../src/lib/hash.ts";
import { canonicalJson } from "../../src/lib/json.ts";
import { collect, faultOf, mapping, read, readDataset } from "./reading.ts";
import { often, slowTest } from "../often.ts";

describe("reading a CSV", () => {
  test("makes a case of every row, with every cell exactly as it is written", async () => {
    const cases = await read(
      "id,question,golden_answer,language,note\r\n" +
        '007,"  What, ""exactly""?\r\nTell me. ",NA,hi, 1.0 \r\n' +
        "\r\n" +
        "2,पैंथर्स ने कितने अंक दिए?,308,hi,TRUE\r\n",
      { key: "id", input: { input_prompt: "question", "variables.language": "language" }, tags: ["language"] },
    );
    expect(cases).toEqual([
      {
        key: "007",
        input: { input_prompt: '  What, "exactly"?\r\nTell me. ', variables: { language: "hi" } },
        inputHash: expect.stringMatching(/^[0-9a-f]{32}$/),
        checks: null,
        expected: "NA",
        cluster: "007",
        turn: 1,
        tags: { language: "hi" },
        columns: {
          id: "007",
          question: '  What, "exactly"?\r\nTell me. ',
          golden_answer: "NA",
          language: "hi",
          note: " 1.0 ",
        },
        source: { file: "prompts.csv", row: 2, line: 2 },
      },
      expect.objectContaining({ key: "2", source: { file: "prompts.csv", row: 4, line: 5 } }),
    ]);
  });

  test("keeps every script, combining mark and emoji, and hashes the input as canonical JSON", async () => {
    const prompts = [
      "क्या यह निःशुल्क है?",
      "هل هذا مجاني؟ ٣٫١٤",
      "ይህ ነፃ ነው?",
      "👩‍👩‍👧‍👦 é e\u0301 \u200b \u00a0",
      "a\nb\n\nc",
      '=1+1, "\t"',
    ];
    const cases = await read(stringify([["zeta.x", "input_prompt"], ...prompts.map((prompt) => ["1", prompt])]), {
      input: { "variables.z": "zeta.x", input_prompt: "input_prompt", "a.c": "zeta.x", "a.b": "zeta.x" },
    });
    expect(cases.map(({ input }) => input["input_prompt"])).toEqual(prompts);
    for (const { input, inputHash } of cases) expect(inputHash).toBe(hashText(canonicalJson(input), 32));
  });

  test("accepts a byte order mark, tabs in a .tsv, and a last line without end", async () => {
    expect(await read("\uFEFFquestion,answer\nHi,Hello")).toMatchObject([
      { input: { input_prompt: "Hi" }, expected: "Hello" },
    ]);
    expect(await read("question\tanswer\nHi, you\tHello\n", { name: "p.tsv" })).toMatchObject([
      { input: { input_prompt: "Hi, you" } },
    ]);
  });

  test("reads back cell by cell what csv-stringify writes", async () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r\n", " ", "\t", ";", "\r", "\uFEFF", "é", "語") }),
    );
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    await fc.assert(
      fc.asyncProperty(table, fc.boolean(), async (rows, quoted) => {
        const clean = rows.map((row) => row.map((each) => each.replaceAll("\0", "")));
        const header = ["input_prompt", "b", "c", "d", "e"].slice(0, clean[0]?.length);
        const text = stringify([header, ...clean.map(([, ...others]) => ["x", ...others])], { quoted });
        const cases = await collect({
          files: ["-"],
          mapping: mapping(),
          endpoints: ["video-bots"],
          standardInput: Readable.from([Buffer.from(text)]),
          chunkSize: 7,
        });
        expect(cases.map(({ columns }) => Object.values(columns).slice(1))).toEqual(clean.map((row) => row.slice(1)));
      }),
      { numRuns: often(40, 150) },
    );
  });

  slowTest("streams 200,000 rows in bounded memory and in pages", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tandem-dataset-"));
    const path = join(folder, "many.csv");
    const file = await open(path, "w");
    await file.write("id,question\n");
    for (let block = 0; block < 200; block++) {
      const rows = Array.from({ length: 1_000 }, (_, i) => `q${block * 1_000 + i},"question, ${i} मुफ़्त?"\n`);
      await file.write(rows.join(""));
    }
    await file.close();
    let count = 0;
    const start = process.memoryUsage.rss();
    let peak = start;
    for await (const page of readDataset({ files: [path], mapping: mapping(), endpoints: ["video-bots"] })) {
      expect(page.length).toBeLessThanOrEqual(500);
      count += page.length;
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    await rm(folder, { recursive: true });
    expect(count).toBe(200_000);
    expect(peak - start).toBeLessThan(150_000_000);
  });

  test("reads several files as one dataset, and standard input", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tandem-dataset-"));
    const [a, b] = [join(folder, "a.csv"), join(folder, "b.csv")];
    await writeFile(a, "id,question\n1,Hi\n2,Ho\n");
    await writeFile(b, "question,id\nHe,3\nHu,2\n");
    const options = { mapping: mapping(), endpoints: ["video-bots" as const], folder };
    await expect(collect({ ...options, files: [a, b] })).rejects.toThrow(
      'b.csv:3:4 (row 3): column "id": the key "2" is also that of row 3 of a.csv',
    );
    await writeFile(b, "question,id\nHe,3\nHu,4\n");
    expect((await collect({ ...options, files: [a, b] })).map(({ columns }) => columns)).toEqual([
      { id: "1", question: "Hi", __file: "a.csv" },
      { id: "2", question: "Ho", __file: "a.csv" },
      { id: "3", question: "He", __file: "b.csv" },
      { id: "4", question: "Hu", __file: "b.csv" },
    ]);
    const standardInput = Readable.from([Buffer.from("question\nHi\n")]);
    expect(await collect({ ...options, files: ["-"], standardInput })).toMatchObject([
      { source: { file: "standard input" } },
    ]);
    await rm(folder, { recursive: true });
  });
});

describe("reading JSON Lines", () => {
  test("takes texts as they are, other values as JSON, and members that come later", async () => {
    const cases = await read('{"id": 7, "question": "Hi\\n"}\n\n{"id": "x", "question": "Ho", "extra": [1, null]}\n', {
      name: "p.jsonl",
    });
    expect(cases).toMatchObject([
      { key: "7", columns: { id: "7", question: "Hi\n", extra: "" }, source: { row: 1, line: 1 } },
      { key: "x", columns: { extra: "[1,null]" }, source: { row: 3, line: 3 } },
    ]);
  });

  test("names the line and the position of what is not JSON", async () => {
    const text = await faultOf('{"question": "Hi"}\n{"question": nope}\n[1]\n', { name: "p.jsonl" });
    expect(text).toContain('p.jsonl:2:14 (row 2): the line is not JSON: unexpected "nope"');
    expect(text).toContain("p.jsonl:3:1 (row 3): the line must be a JSON object, got a list");
  });
});

describe("a dataset that is wrong", () => {
  test("is refused with every fault and its row", async () => {
    const text = await faultOf(
      "id,question,messages,input_images\n" +
        'a,"Hi\nthere",,\n' +
        "b,Ho\n" +
        'a,He,"[{""role"": ""user"", ""content"": }]",\n' +
        'c,Hu,"[{""role"": ""boss"", ""content"": ""x""}]",\n' +
        "d,  ,,\n" +
        ' ,Hm,,"[1]"\n',
      { key: "id", input: { input_prompt: "question", messages: "messages", input_images: "input_images" } },
    );
    expect(text.split("\n")).toEqual([
      "DATASET_INVALID The dataset cannot be sent: 7 faults:",
      '  prompts.csv:4 (row 3): the row has 2 cells, the header 4: there is nothing for the column "messages". Add the missing cells, delete the row if it is a note, or fill such rows up with --lenient (format.lenient).',
      '  prompts.csv:5:6 (row 4): column "messages" is not JSON: unexpected "}" at character 30. It must be a JSON list such as [{"role": "user", "content": "Hello"}].',
      '  prompts.csv:5:1 (row 4): column "id": the key "a" is also that of row 2. Every row needs a key of its own.',
      '  prompts.csv:6:6 (row 5): column "messages" does not fit the request at entry 1, role: got "boss". It must be a JSON list such as [{"role": "user", "content": "Hello"}].',
      '  prompts.csv:7:3 (row 6): column "question": the case is blank: no prompt, audio, image or document. Fill it in, delete the row (a total, a note?), or leave blank rows out with --skip-invalid.',
      '  prompts.csv:8:7 (row 7): column "input_images" does not fit the request at entry 1: got the number 1. It must be one text, or a JSON list such as ["a", "b"].',
      '  prompts.csv:8:1 (row 7): column "id": the key is blank. Every row needs a key of its own. Nothing was sent. Correct the rows and start again.',
    ]);
  });

  test("lists 50 faults and counts all", async () => {
    const text = await faultOf(`id,question\n${"1,\n".repeat(1_200)}`);
    expect(text).toContain("1,200 faults");
    expect(text).toContain("... and 1,150 more");
    expect(text.split("\n")).toHaveLength(52);
  });

  test.each([
    [
      "duplicate keys",
      "id,question\n1,a\n2,b\n1,c\n",
      'prompts.csv:4:1 (row 4): column "id": the key "1" is also that of row 2',
    ],
    ["a blank key", "id,question\n ,a\n", 'prompts.csv:2:1 (row 2): column "id": the key is blank'],
    [
      "duplicate headers",
      "question,id,question\na,1,b\n",
      'prompts.csv:1: the columns 1 and 3 are both named "question"',
    ],
    ["a header that reaches a prototype", "question,__proto__\na,b\n", "must not be named __proto__"],
    ["an unclosed quote", 'question\nfine\n"a\nb\nc\n', "a quote is opened and never closed"],
    [
      "text after a closing quote",
      'id,question\n1,"a"b\n2,c\n',
      'prompts.csv:2 (row 2): column "question": there is text after the closing quote',
    ],
    [
      "a quote inside of a cell",
      'id,question\n1,a\n2,b "c"\n',
      'prompts.csv:3 (row 3): column "question": there is a quote inside of a cell',
    ],
    ["an empty file", "", "prompts.csv:1: the file is empty"],
    ["a file of spaces only", "\n\n", "prompts.csv:1: the file is empty"],
    ["a header alone", "question,answer\n", "prompts.csv: the file has no rows to send"],
    ["a NUL byte", "question\na\nb\0c\n", 'prompts.csv:3:2 (row 3): column "question" holds a NUL character'],
    [
      "a character cut off at the end",
      Buffer.from([0x71, 0x0a, 0x61, 0xe0, 0xa4]),
      "prompts.csv:2: the byte 0xE0 at byte 2 of the line is not UTF-8",
    ],
  ])("%s: the place is named", async (_what, content, part) => {
    expect(await faultOf(content)).toContain(part);
  });

  test("faults after a broken row still have their own row and line", async () => {
    const text = await faultOf('id,question\r\n1,a"b\r\n2,"x\r\ny"\r\n3,\r\n\r\n4,\r\n');
    expect(text).toMatch(
      /:2 \(row 2\).*: there is a quote inside[^]*:5:3 \(row 4\).*: the case is blank[^]*:7:3 \(row 6\).*: the case is blank/,
    );
  });

  test("a file that is not there, and a folder, are named", async () => {
    const options = { mapping: mapping(), endpoints: ["video-bots" as const] };
    await expect(collect({ ...options, files: ["/no/such.csv"] })).rejects.toMatchObject({
      code: "DATASET_NOT_FOUND",
      message: "The dataset /no/such.csv cannot be used: there is no such file.",
    });
    await expect(collect({ ...options, files: [tmpdir()] })).rejects.toMatchObject({ code: "DATASET_NOT_FOUND" });
  });

  test("blank cases and rows without content are left out and told when asked", async () => {
    const reported: string[] = [];
    const options = { skipInvalid: true, onSkipped: (left: LeftOutRow) => reported.push(leftOutText(left)) };
    const cases = await read("id,question\n1,a\n2, \n,\n3,b\n", { options });
    expect(cases.map(({ key }) => key)).toEqual(["1", "3"]);
    expect(reported).toEqual([
      "prompts.csv:4 (row 4) has no content",
      "prompts.csv:3 (row 3) is blank: no prompt, audio, image or document",
    ]);
  });

  test("only bots refuse blank cases", async () => {
    expect(await read("x,y\n, \n", { options: { endpoints: ["functions"] } })).toMatchObject([
      { input: { variables: { x: "", y: " " } } },
    ]);
    expect(await read("question,input_images\n,http://x/y.png\n")).toHaveLength(1);
  });
});

test("a sheet of more columns than anybody needs is refused, in every format and however they come", async () => {
  const names = Array.from({ length: 30_000 }, (_, at) => `c${at}`);
  const object = (from: number, to: number): string =>
    JSON.stringify({ question: "q", ...Object.fromEntries(names.slice(from, to).map((name) => [name, 0.25])) });
  const lines = Array.from({ length: 300 }, (_, at) => object(at * 100, at * 100 + 100)).join("\n");
  for (const [name, text] of [
    ["wide.csv", `question,${names.join()}\nq,${names.join()}\n`],
    ["wide.jsonl", object(0, names.length)],
    ["growing.jsonl", lines],
    ["wide.json", `[${object(0, names.length)}]`],
  ] as const)
    expect(await faultOf(text, { name })).toContain("more than 2000 columns");
  expect(await read(object(0, 1_900), { name: "broad.jsonl" })).toHaveLength(1);
});
