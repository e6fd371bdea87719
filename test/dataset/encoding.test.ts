import { gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DatasetFormat } from "../../src/suite/suite.ts";
import { collect, faultOf, mapping, read } from "./reading.ts";

const sheet =
  "question,answer\r\n" +
  "क्या यह निःशुल्क है?,हाँ\r\n" +
  "هل هذا مجاني؟,نعم\r\n" +
  "ይህ ነፃ ነው?,አዎ\r\n" +
  '"👩‍👩‍👧 or\n""two""",é\r\n';

const rows = [
  ["क्या यह निःशुल्क है?", "हाँ"],
  ["هل هذا مجاني؟", "نعم"],
  ["ይህ ነፃ ነው?", "አዎ"],
  ['👩‍👩‍👧 or\n"two"', "é"],
];

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

function format(given: Partial<DatasetFormat>): { options: { format: DatasetFormat } } {
  return { options: { format: { delimiter: null, encoding: null, lenient: false, ...given } } };
}

/** Reads bytes from standard input in small pieces. */
async function readPieces(bytes: Buffer, size: number): Promise<string[][]> {
  const cases = await collect({
    files: ["-"],
    mapping: mapping(),
    endpoints: ["video-bots"],
    standardInput: Readable.from([bytes]),
    chunkSize: size,
  });
  return cases.map(({ columns }) => Object.values(columns));
}

describe("the encoding of a file", () => {
  test.each([
    ["UTF-8", Buffer.from(sheet)],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${sheet}`)],
    ["UTF-16 LE with a mark", Buffer.from(`\uFEFF${sheet}`, "utf16le")],
    ["UTF-16 BE with a mark", utf16be(`\uFEFF${sheet}`)],
    ["UTF-8 packed with gzip", gzipSync(sheet)],
    [
      "UTF-16 packed with gzip in two members",
      Buffer.concat([gzipSync(Buffer.from("\uFEFF", "utf16le")), gzipSync(Buffer.from(sheet, "utf16le"))]),
    ],
  ])("%s is recognised, in pieces of any size", async (_name, bytes) => {
    for (const size of [1, 2, 3, 7, 100_000]) expect(await readPieces(bytes, size)).toEqual(rows);
  });

  test("is UTF-16 with tabs in what Excel saves as Unicode text", async () => {
    const text = '\uFEFFquestion\tanswer\r\n"He said ""no"", twice"\t1,5\r\n';
    expect(await read(Buffer.from(text, "utf16le"), { name: "sheet.txt" })).toMatchObject([
      { input: { input_prompt: 'He said "no", twice' }, expected: "1,5" },
    ]);
  });

  test("is Windows-1252 when bytes are not UTF-8, with a notice of the first place", async () => {
    const reported: string[] = [];
    const bytes = Buffer.concat([
      Buffer.from("question;answer\r\nhello;a\r\nWas kostet das für Kinder?;5 ", "latin1"),
      Buffer.from([0x80, 0x20, 0x93]),
      Buffer.from("plus"),
      Buffer.from([0x94, 0x0d, 0x0a]),
    ]);
    const cases = await read(bytes, { options: { onNotice: (notice) => reported.push(notice) } });
    expect(cases.map(({ expected }) => expected)).toEqual(["a", "5 € “plus”"]);
    expect(cases[1]?.input["input_prompt"]).toBe("Was kostet das für Kinder?");
    expect(reported).toEqual([
      'prompts.csv:3: the byte 0xFC at byte 17 of the line is not UTF-8; the file is read as Windows-1252. If characters look wrong, save it as "CSV UTF-8", or name its encoding with --encoding (format.encoding in a suite).',
    ]);
  });

  test("is Windows-1252 cell by cell, wherever the chunks end", async () => {
    const letters = "abcß éàü€“”–™ÿñ".split("");
    const cell = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(cell, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (cells, size) => {
          const text = `question,n\n${cells.map((each) => `"x ${each}",1\n`).join("")}`;
          const bytes = Buffer.from(Array.from(text, (character) => cp1252[character] ?? character.charCodeAt(0)));
          const forced = { delimiter: null, encoding: "windows-1252", lenient: false };
          const cases = await collect({
            files: ["-"],
            mapping: mapping(),
            endpoints: ["video-bots"],
            format: forced,
            standardInput: Readable.from([bytes]),
            chunkSize: size,
          });
          expect(cases.map(({ input }) => input["input_prompt"])).toEqual(cells.map((each) => `x ${each}`));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("can be named in the suite", async () => {
    const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    const bytes = Buffer.concat([Buffer.from("question\n"), cyrillic, Buffer.from("\n")]);
    expect(await read(bytes, format({ encoding: "windows-1251" }))).toMatchObject([
      { input: { input_prompt: "Привет" } },
    ]);
    expect(await faultOf(bytes)).toContain("prompts.csv:2: the byte 0xCF at byte 1 of the line is not UTF-8");
    expect(await faultOf(Buffer.from("question\ncafé\n", "latin1"), format({ encoding: "utf-8" }))).toContain(
      "prompts.csv:2: the byte 0xE9 at byte 4 of the line is not UTF-8",
    );
  });

  test("is UTF-16 without a mark where it is named, and else a fault that names it", async () => {
    const bytes = Buffer.from(sheet, "utf16le");
    expect(await read(bytes, format({ encoding: "utf-16le" }))).toHaveLength(4);
    expect(await faultOf(bytes)).toContain("UTF-16 is read with --encoding utf-16le or utf-16be");
  });

  test.each([
    ["an Excel workbook", Buffer.from("PK\u0003\u0004..."), "the file is an Excel workbook"],
    [
      "a sheet of LibreOffice",
      Buffer.concat([
        Buffer.from("PK\u0003\u0004"),
        Buffer.alloc(26),
        Buffer.from("mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK"),
      ]),
      "an OpenDocument sheet (.ods), not text. Save it as .xlsx",
    ],
    ["an old workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), "an old Excel workbook"],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x71, 0, 0, 0]), "the file is UTF-32"],
    ["a picture", Buffer.alloc(500), "full of NUL bytes"],
    [
      "UTF-8 with one broken byte",
      Buffer.concat([Buffer.from("question\né\nb"), Buffer.from([0xe9, 0x0a])]),
      "prompts.csv:3: the byte 0xE9 at byte 2",
    ],
    ["Shift JIS", Buffer.from([0x71, 0x0a, 0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x0a]), "prompts.csv:2: the byte 0x82"],
    [
      "Windows-1252 with a byte that it leaves open",
      Buffer.from([0x71, 0x0a, 0x61, 0x20, 0x81, 0x0a]),
      "is neither UTF-8 nor Windows-1252",
    ],
    [
      "UTF-16 that was cut off",
      Buffer.from("\uFEFFquestion\nHi\n", "utf16le").subarray(0, -1),
      "not UTF-16LE: the file was cut off",
    ],
  ])("is refused for %s, with its place", async (_name, bytes, part) => {
    expect(await faultOf(bytes)).toContain(part);
  });
});

describe("a packed file", () => {
  const packed = gzipSync("question\n" + "Hi there\n".repeat(5_000));

  test("is read by its bytes, whatever its name", async () => {
    expect(await read(packed, { name: "p.csv.gz" })).toHaveLength(5_000);
    expect(await read(packed, { name: "p.csv" })).toHaveLength(5_000);
    expect(await read(gzipSync('{"question": "Hi"}\n'), { name: "p.jsonl.gz" })).toHaveLength(1);
    expect(await read(gzipSync("question\ta,b\nHi\t1\n"), { name: "p.tsv.gz" })).toHaveLength(1);
  });

  test("that is cut off or damaged is refused", async () => {
    expect(await faultOf(packed.subarray(0, -9), { name: "p.csv.gz" })).toContain(
      "p.csv.gz: the packed file is cut off: its end is missing",
    );
    const damaged = Buffer.from(packed);
    damaged.writeUInt32LE(1, damaged.length - 8);
    expect(await faultOf(damaged, { name: "p.csv.gz" })).toContain("the packed file is damaged");
    expect(await faultOf("question\nHi\n", { name: "p.csv.gz" })).toContain("but the file is not gzip");
  });
});

describe("standard input", () => {
  test.each([
    ["a table", "question;answer\nHi;Ho\n"],
    ["JSON Lines", '{"question": "Hi", "answer": "Ho"}\n'],
    ["a packed table", gzipSync("question,answer\nHi,Ho\n")],
  ])("may be %s", async (_name, content) => {
    expect(await readPieces(Buffer.from(content), 3)).toEqual([["Hi", "Ho"]]);
  });
});

const cp1252: Partial<Record<string, number>> = { "€": 0x80, "“": 0x93, "”": 0x94, "–": 0x96, "™": 0x99 };
