import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { CheckReader } from "../../src/dataset/import/check-reader.ts";
import { findingText } from "../../src/dataset/finding.ts";
import type { Inspection } from "../../src/dataset/inspect.ts";
import type { CaseMapping } from "../../src/suite/suite.ts";
import { inspectDataset, mapping, type Reading } from "./reading.ts";

/** Inspects texts as the files of one dataset. */
async function inspect(
  files: Record<string, string | Buffer>,
  columns: Partial<CaseMapping> = {},
  more: Partial<Reading> = {},
): Promise<Inspection> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-inspect-"));
  try {
    const paths = Object.keys(files).map((name) => join(folder, name));
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    return await inspectDataset({
      files: paths,
      mapping: mapping(columns),
      endpoints: ["video-bots"],
      folder,
      ...more,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function texts({ listed }: Inspection["faults"]): string[] {
  return listed.map(findingText);
}

/** `kind line:character (row)` of each finding. */
function places({ listed }: Inspection["faults"]): string[] {
  return listed.map(({ kind, line, character, row, column }) => `${kind} ${line}:${character} ${row} ${column}`);
}

const conversation = {
  key: "id",
  input: {
    input_prompt: "question",
    messages: "history",
    input_images: "image",
    "variables.age": { column: "age", type: "number" as const },
    "variables.member": { column: "member", type: "boolean" as const },
  },
  expected: "answer",
  tags: ["topic"],
};

/** A sheet in which many things are wrong, each in a row of its own unless a row can have only one. */
const broken = [
  "id,question,answer,history,image,age,member,topic,notes",
  "1,Is it free?,Yes,,,,,price,", // row 2: fine
  "2,   ,x,,,,,price,", // blank prompt
  "1,Another,x,,,,,price,", // duplicate key
  ",No key,x,,,,,price,", // blank key
  '5,Bad JSON,x,"[{""role"": }]",,,,price,', // JSON that does not parse
  '6,Bad role,x,"[{""role"": ""boss"", ""content"": """"}]",,,,price,', // JSON that does not fit
  "7,Bad number,x,,,twelve,,price,",
  "8,Bad boolean,x,,,,perhaps,price,",
  "9,Ragged,x,,,",
  "10,Too wide,x,,,,,price,,,",
  '11,a "quote" inside,x,,,,,price,',
  "12,NUL \0 inside,x,,,,,price,",
  '13,Bad list,x,,"[1, 2]",,,price,',
  // These can be sent, and some are suspicious:
  "14,Is it free?,Yes,,,,,price,", // duplicate input
  "15,Zero\u200bwidth,x,,,,,price,",
  "16,No\u00a0break,x,,,,,price,",
  "17,BOM \uFEFFinside,x,,,,,price,",
  "18,Where is M\u043Escow?,x,,,,,price,",
  "19, leading,x,,,,,price,",
  '20,"trailing\n",x,,,,,price,',
  "21,No answer,,,,,,price,",
  "22,Caf\u00e9 one,x,,,,,price,",
  "23,Cafe\u0301 two,x,,,,,price,",
  "24,Was fÃ¼r?,x,,,,,price,",
  "25,It’s â€œfineâ€\u009d,x,,,,,price,",
  "26,Lost \uFFFD here,x,,,,,price,",
  "27,Picture,x,,photo.jpg,,,price,",
  "28,Bell \u0007,x,,,,,price,",
  "29,Formula,#REF!,,,,,price,",
  `1.23E+15,Long number,x,,,,,price,`,
  "31,कीमत क्या है?,à¤•à¥€,,,,, price,",
  "32,Soft\u00adhyphen,x,,,,,price,",
  "33,??? 24 ???????,x,,,,,price,", // a script that the encoding of the export does not have
  "",
];

describe("inspecting a dataset", () => {
  test("names each of the faults of a broken sheet with its row, column, and place in the file", async () => {
    const { faults, warnings, profile } = await inspect({ "sheet.csv": broken.join("\n") }, conversation);
    expect(places(faults)).toEqual([
      "blank-case 3:3 3 question",
      "duplicate-key 4:1 4 id",
      "blank-key 5:1 5 id",
      "cell 6:14 6 history",
      "cell 7:14 7 history",
      "cell 8:18 8 age",
      "cell 9:20 9 member",
      "ragged-row 10:null 10 member",
      "ragged-row 11:null 11 null",
      "quote 12:null 12 question",
      "nul 13:8 13 question",
      "cell 14:16 14 image",
    ]);
    expect(places(warnings)).toEqual([
      "duplicate-input 15:null 15 null",
      "blank-expected 23:14 22 answer",
      "mojibake 26:9 25 question",
      "mojibake 27:9 26 question",
      "mojibake 28:9 27 question",
      "not-a-url 29:15 28 image",
      "spreadsheet-error 31:12 30 answer",
      "rounded-key 32:1 31 id",
      "mojibake 33:18 32 answer",
      "mojibake 35:4 34 question",
    ]);
    expect(profile).toMatchObject({ rows: 29, cases: 21 });
  });

  test("says it in the words of a spreadsheet user", async () => {
    const { faults, warnings } = await inspect({ "sheet.csv": broken.join("\n") }, conversation);
    const said = [...texts(faults), ...texts(warnings)];
    expect(said).toContain(
      'sheet.csv:6:14 (row 6): column "history" is not JSON: unexpected "}" at character 11. It must be a JSON list such as [{"role": "user", "content": "Hello"}].',
    );
    expect(said).toContain(
      'sheet.csv:4:1 (row 4): column "id": the key "1" is also that of row 2. Every row needs a key of its own.',
    );
    expect(said).toContain(
      'sheet.csv:26:9 (row 25): column "question" holds "Ã¼", which was probably "ü". Export it again from the original, as UTF-8.',
    );
    expect(said).toContain(
      'sheet.csv:33:18 (row 32): column "answer" holds "à¤•à¥€", which was probably "की". Export it again from the original, as UTF-8.',
    );
    expect(said).toContain(
      'sheet.csv:29:15 (row 28): column "image" holds "photo.jpg", which is not a URL. input_images needs addresses that begin with https://; several are written as ["...", "..."]. Files of your own are sent with input_images: { column: image, type: file } in the suite.',
    );
  });

  test("finds nothing in good text of many scripts", async () => {
    const good = [
      "question,answer",
      "क्या यह निःशुल्क है?,क्‍षमा करें",
      "می‌خواهم بدانم,بله",
      "هل هذا مجاني؟,نعم\u200f!",
      "ይህ ነፃ ነው?,አዎ",
      "Is this 👩‍👩‍👧‍👦 or ❤️‍🔥?,Yes – “both”…",
      "What??? Really???,???",
      "C’est gratuit\u00a0?,«\u00a0oui\u00a0» à 10\u00a0000\u00a0€",
      "Сколько стоит iPhone 15?,от 5 µm до 10 Ω",
      "ストレッチは何回ですか？,10回、毎日",
      "Straße Ærø GARÇON,São Tomé",
      "",
    ];
    const { faults, warnings } = await inspect({ "good.csv": good.join("\n") });
    expect([...texts(faults), ...texts(warnings)]).toEqual([]);
  });

  test("tells every column that is missing, and still looks at the rows", async () => {
    const { faults } = await inspect(
      { "sheet.csv": "id,question,age\n1,Hi,x\n1,Ho,2\n" },
      {
        key: "id",
        input: {
          input_prompt: "qestion",
          "variables.a": "{{ agge }}",
          "variables.n": { column: "age", type: "number" },
        },
        tags: ["langage"],
      },
    );
    expect(texts(faults)).toEqual([
      'sheet.csv:1: has no column "qestion", which case.input.input_prompt names. Did you mean "question"? The file has: id, question, age.',
      'sheet.csv:1: has no column "agge", which the template of case.input.variables.a names. Did you mean "age"? The file has: id, question, age.',
      'sheet.csv:1: has no column "langage", which case.tags names. The file has: id, question, age.',
      'sheet.csv:2:6 (row 2): column "age" must be a number, got "x". Write it with a point, without units.',
      'sheet.csv:3:1 (row 3): column "id": the key "1" is also that of row 2. Every row needs a key of its own.',
    ]);
  });

  test("goes on after a file that cannot be read", async () => {
    const { faults, profile } = await inspect(
      {
        "a.csv": "id,question\n1,Hi\n",
        "b.csv": Buffer.from([0x71, 0x0a, 0x82, 0xb1, 0x82, 0xf1]),
        "c.csv": "id,question\n1,Ho\n",
      },
      { key: null },
      {},
    );
    expect(places(faults)).toEqual(["encoding 2:null null null", "duplicate-key 2:1 2 id"]);
    expect(texts(faults)[1]).toContain('c.csv:2:1 (row 2): column "id": the key "1" is also that of row 2 of a.csv');
    expect(profile.files.map(({ file, rows }) => [file, rows])).toEqual([
      ["a.csv", 1],
      ["b.csv", 0],
      ["c.csv", 1],
    ]);
    const missing = await inspectDataset({ files: ["/no/such.csv"], mapping: mapping(), endpoints: ["video-bots"] });
    expect(missing.faults.counts).toEqual({ unreadable: 1 });
  });

  test("lists some of each kind and counts all, from standard input too", async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `${i % 2 === 0 ? "" : " "}question ${i},\n`);
    const { faults, warnings } = await inspectDataset({
      files: ["-"],
      mapping: mapping(),
      endpoints: ["video-bots"],
      standardInput: Readable.from([Buffer.from(`question,answer\n${rows.join("")}  ,x\n`)]),
    });
    expect(warnings.counts).toEqual({ "blank-expected": 5_000 });
    expect(warnings.listed).toHaveLength(20);
    expect(faults.counts).toEqual({ "blank-case": 1 });
  });
});

describe("the profile of a dataset", () => {
  test("tells files, lengths, tags and columns", async () => {
    const { profile } = await inspect(
      {
        "a.csv": `question;answer;topic;notes\nकीमत क्या है?;पाँच;price;\nIs it free?;Yes;price;n\n;;;\n${"👍".repeat(10)};;;\n`,
        "b.jsonl": '{"question": "ዋጋው ስንት ነው?", "topic": "price"}\n{"question": "Wo?", "topic": "place"}\n',
      },
      { tags: ["topic", "__file"] },
    );
    expect(profile).toMatchObject({
      rows: 5,
      cases: 5,
      files: [
        { file: "a.csv", format: "csv", encoding: "utf-8", delimiter: ";", emptyRows: 1, rows: 3, compressed: false },
        { file: "b.jsonl", format: "jsonl", delimiter: null, rows: 2 },
      ],
      prompts: { texts: 5, median: 11, p95: 13, max: 13 },
      expected: { texts: 2, max: 4 },
      turns: 1,
      tags: [
        {
          tag: "topic",
          values: [
            { value: "price", cases: 3 },
            { value: "", cases: 1 },
            { value: "place", cases: 1 },
          ],
          others: 0,
        },
        {
          tag: "__file",
          values: [
            { value: "a.csv", cases: 3 },
            { value: "b.jsonl", cases: 2 },
          ],
          others: 0,
        },
      ],
    });
    expect(profile.columns).toContainEqual({ name: "notes", filled: 1, uses: [] });
    expect(profile.columns[0]).toEqual({ name: "question", filled: 5, uses: ["case.input.input_prompt"] });
  });
});

test("a row of a promptfoo sheet whose checks say what is right lacks no expected answer, and its columns are used", async () => {
  const reader: CheckReader = {
    expectations: async () => (text) => ({ scorer: { type: "contains", value: text } }),
    columnsOf: () => [],
    scorer: () => ({ ok: true, scorer: { type: "contains" } }),
  };
  const sheet = "question,__expected,__metadata:topic\nTwo and two?,contains:4,sums\nThree?,,sums\n";
  const { warnings, profile } = await inspect({ "t.csv": sheet }, {}, { checks: reader });
  expect(places(warnings)).toEqual(["blank-expected 3:null 3 null"]);
  expect(profile.columns.filter(({ uses }) => uses.length === 0)).toEqual([]);
});

test.each(["category", "__graders"])("cells of the tag %s look merged only where a person fills them", async (tag) => {
  const rows = ["a", "", "", "b", "", ""].map((cell, i) => `Question ${i}?,${cell}`);
  const { warnings } = await inspect({ "t.csv": [`question,${tag}`, ...rows].join("\n") }, { tags: [tag] });
  expect(Object.keys(warnings.counts)).toEqual(tag === "category" ? ["merged-cells"] : []);
});
