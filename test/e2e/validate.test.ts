import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

/** A text in an encoding of one or two bytes, by what its bytes are read as: there is only a decoder. */
function encodedAs(encoding: string, text: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const pairs = bytes.flatMap((first) => (first < 0x80 ? [] : bytes.slice(0x40).map((second) => [first, second])));
  const decoder = new TextDecoder(encoding, { fatal: false });
  const known = new Map<string, number[]>();
  for (const sequence of [...pairs, ...bytes.map((byte) => [byte])])
    known.set(decoder.decode(Buffer.from(sequence)), sequence);
  return Buffer.from(Array.from(text).flatMap((character) => known.get(character) ?? [0x3f]));
}

/** A cell as CSV writes it. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Rows of `id,question,answer,history,age,member,image,talk,turn,checks`, each with one fault, and the column it is in. */
const faulty: [row: string, column: string | null][] = [
  ["f1,,x,,,,,a,1,", "question"],
  ["f2,   ,x,,,,,a,2,", "question"],
  ["f3,\u00a0\u3000,x,,,,,a,3,", "question"],
  ["ok1,the key is that of the first row,x,,,,,a,4,", "id"],
  [",no key,x,,,,,a,5,", "id"],
  ["   ,no key,x,,,,,a,6,", "id"],
  [`f7,no JSON,x,${quoted('[{"role": }]')},,,,h7,1,`, "history"],
  [`f8,cut off,x,${quoted('[{"role": "user"')},,,,h8,1,`, "history"],
  [`f9,no list,x,${quoted('{"role": "user", "content": "x"}')},,,,h9,1,`, "history"],
  [`f10,no such role,x,${quoted('[{"role": "boss", "content": "x"}]')},,,,h10,1,`, "history"],
  [`f11,no content,x,${quoted('[{"role": "user"}]')},,,,h11,1,`, "history"],
  ["f12,no number,x,,twelve,,,a,12,", "age"],
  [`f13,no number,x,,${quoted("1,5")},,,a,13,`, "age"],
  ["f14,no number,x,,12 years,,,a,14,", "age"],
  ["f15,no boolean,x,,,maybe,,a,15,", "member"],
  ["f16,no boolean,x,,,2,,a,16,", "member"],
  [`f17,no list of texts,x,,,,${quoted("[1, 2]")},a,17,`, "image"],
  [`f18,no list,x,,,,${quoted('["a"')},a,18,`, "image"],
  ["f19,no turn,x,,,,,a,nineteen,", "turn"],
  ["f20,no turn,x,,,,,a,0,", "turn"],
  ["f21,no turn,x,,,,,a,1.5,", "turn"],
  ["f22,no turn,x,,,,,a,,", "turn"],
  ["f23,the turn is that of the first row,x,,,,,ok,1,", "turn"],
  [`f24,no scorer,x,,,,,a,24,${quoted('{"type": }')}`, "checks"],
  [`f25,no such scorer,x,,,,,a,25,${quoted('{"type": "containz", "value": "x"}')}`, "checks"],
  [`f26,no scorer,x,,,,,a,26,${quoted("[7]")}`, "checks"],
  ["f27,too short,x", "history"],
  ["f28,too long,x,,,,,a,28,,,,", null],
  ["f29,NUL \0 in it,x,,,,,a,29,", "question"],
  ['f30,a "quote" in it,x,,,,,a,30,', "question"],
];

const header = "id,question,answer,history,age,member,image,talk,turn,checks";
const sheet = [
  header,
  "ok1,Is it open?,yes,,7,true,,ok,1,",
  ...faulty.map(([row]) => row),
  "ok2,And now?,yes,,,,,ok,2,",
];

const suite = (files: string): string => `name: broken
dataset: ${files}
case:
  key: id
  input:
    input_prompt: question
    variables.age: { column: age, type: number }
    variables.member: { column: member, type: boolean }
    input_images: image
  expected: answer
  opening: history
  cluster: talk
  turn: turn
  scorers: checks
deployments: { prod: { base_url: https://bots.example.test } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

interface Report {
  valid: boolean;
  faults: { file: string; line: number | null; message: string }[];
  dataset: {
    faults: {
      count: number;
      listed: { kind: string; file: string; row: number; line: number; column: string | null }[];
    };
  };
}

async function report(tandem: Tandem, ...args: string[]): Promise<Report> {
  const { code, out } = await tandem.run("check", "--offline", ...args, "--json");
  expect(code).toBe(2);
  return JSON.parse(out) as Report;
}

/** File, row and column of every fault, as they must be. The opening counts on first turns only. */
const places = (file: string): unknown[] => faulty.map(([, column], i) => ({ file, row: i + 3, line: i + 3, column }));

const found = ({ dataset }: Report, file: string): unknown[] =>
  dataset.faults.listed
    .filter((fault) => fault.file === file)
    .map(({ row, line, column }) => ({ file, row, line, column }))
    .toSorted((a, b) => a.row - b.row);

describe("validate of a sheet with thirty faults", () => {
  test("names each with its file, row, line and column, in text and in JSON", async () => {
    const tandem = new Tandem().file("sheet.csv", sheet.join("\n")).file("suite.yaml", suite("sheet.csv"));
    const json = await report(tandem, "suite.yaml");
    expect(json.valid).toBe(false);
    expect(found(json, "sheet.csv")).toEqual(places("sheet.csv"));
    expect(json.dataset.faults.count).toBe(faulty.length);
    expect(json.faults).toHaveLength(faulty.length);

    const { code, out } = await tandem.run("check", "--offline", "suite.yaml");
    expect(code).toBe(2);
    expect(out).toContain("30 faults");
    for (const [i, [, column]] of faulty.entries()) {
      const line = out
        .split("\n")
        .find((each) => each.includes(`sheet.csv:${i + 3}`) && each.includes(`(row ${i + 3})`));
      expect(line, `row ${i + 3}`).toBeDefined();
      if (column !== null) expect(line).toContain(`column "${column}"`);
    }
  });

  test("the same in UTF-16 with semicolons, packed, and in a second file", async () => {
    const other = sheet.map((row) => row.replaceAll("ok", "no").replace(/^f/, "g").replace(",a,", ",b,")).join("\r\n");
    const packed = gzipSync(Buffer.from(`\uFEFF${other}`, "utf16le"));
    const tandem = new Tandem()
      .file("sheet.csv", sheet.join("\n"))
      .file("other.csv.gz", packed)
      .file("suite.yaml", suite("[sheet.csv, other.csv.gz]"));
    const json = await report(tandem, "suite.yaml");
    expect(found(json, "sheet.csv")).toEqual(places("sheet.csv"));
    expect(found(json, "other.csv.gz")).toEqual(places("other.csv.gz"));
  });

  test("beside the faults of the suite itself", async () => {
    const tandem = new Tandem()
      .file("sheet.csv", sheet.join("\n"))
      .file("suite.yaml", suite("sheet.csv").replace("endpoint: video-bots", "endpoint: videobots"));
    const json = await report(tandem, "suite.yaml");
    expect(json.faults.filter(({ file }) => file === "suite.yaml")).toHaveLength(1);
    expect(found(json, "sheet.csv")).toEqual(places("sheet.csv"));
  });
});

describe("validate of a dataset alone", () => {
  test("checks a sheet before there is a suite, by the flags that say how it is written", async () => {
    const tandem = new Tandem().file("p.csv", Buffer.from("Frage§Antwort\nKosten?§5 \u20ac\n", "latin1"));
    const { code, out } = await tandem.run(
      "check",
      "--offline",
      "p.csv",
      "--delimiter",
      "§",
      "--encoding",
      "windows-1252",
    );
    expect(out).toContain("p.csv: valid, 1 row");
    expect(code).toBe(0);
    const wrong = await tandem.run("check", "--offline", "p.csv", "--encoding", "klingon", "--delimiter", "ab");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain(
      '--encoding must be an encoding such as utf-8, utf-16le or windows-1252, got "klingon"',
    );
    expect(wrong.err).toContain('--delimiter must be one character, or tab, got "ab"');
  });

  test.each([
    ["gb18030", "编号,问题,标准答案\n1,法国的首都是哪里？,巴黎\n2,水的沸点是多少？,一百度\n"],
    ["big5", "編號,問題,標準答案\n1,法國的首都是哪裡？,巴黎\n2,水的沸點是多少？,一百度\n"],
    ["shift_jis", "番号,質問,正解\n1,フランスの首都はどこですか？,パリです\n"],
    ["euc-kr", "번호,질문,정답\n1,프랑스의 수도는 어디입니까?,파리\n"],
    ["windows-1251", "№;Вопрос;Ожидаемый ответ\n1;Какая столица у Франции?;Париж\n"],
    ["koi8-r", "Номер;Вопрос;Ожидаемый ответ\n1;Какая столица у Франции?;Париж\n"],
  ])("refuses a sheet in %s with a message that names --encoding, with which it is read", async (encoding, text) => {
    const tandem = new Tandem().file("p.csv", encodedAs(encoding, text));
    const refused = await tandem.run("check", "--offline", "p.csv");
    expect(refused.code).toBe(2);
    expect(refused.out).toContain("name its encoding with --encoding");
    const read = await tandem.run("check", "--offline", "p.csv", "--encoding", encoding);
    expect([read.code, read.out]).toEqual([0, expect.stringContaining(": valid, ")]);
    expect(read.out).toContain("expected answers: ");
    expect((await tandem.run("init", "p.csv", "--yes")).err).toContain("name its encoding with --encoding");
  });

  test("names as not used what neither requests nor scorers nor conversations read", async () => {
    const scorers = `
scorers:
  - { name: found, type: contains, value: "{{ must }}" }
  - { name: judged, type: judge, target: grader, rubric: 'By {{ row["house rules"] }}' }
  - { name: right, type: language-of-answer }`;
    const tandem = new Tandem()
      .env({})
      .file("bots/bots/one.yaml", "fallback: Hello.\n")
      .file("p.csv", "id,question,must,house rules,lang,owner\n1,Who?,me,be kind,en,Ann\n")
      .file(
        "suite.yaml",
        `dataset: p.csv
case: { key: id, input: { input_prompt: question } }
deployments: { local: { base_url: "local:./bots" } }
targets: { one: { deployment: local, endpoint: video-bots, example_id: one } }
judges: { grader: { deployment: local, endpoint: video-bots, example_id: one } }${scorers}
`,
      )
      .file("talks.csv", "conversation_id,role,content,channel\na,user,Hi,web\na,assistant,Hello,web\n")
      .file(
        "talks.jsonl",
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}],"owner":"Ann"}\n',
      );
    expect((await tandem.run("check", "--offline", "suite.yaml")).out).toMatch(/^ {2}not used: owner$/m);
    expect((await tandem.run("check", "--offline", "talks.csv")).out).toMatch(/^ {2}not used: channel$/m);
    expect((await tandem.run("check", "--offline", "talks.jsonl")).out).toMatch(/^ {2}not used: owner$/m);
    const { out } = await tandem.run("check", "--offline", "suite.yaml", "--json");
    const { dataset } = JSON.parse(out) as { dataset: { profile: { columns: { name: string; uses: string[] }[] } } };
    expect(dataset.profile.columns.find(({ name }) => name === "house rules")?.uses).toEqual(["scorers.judged"]);
  });

  test("takes bare quotes and ragged rows as they are with --lenient, and says so where they are refused", async () => {
    const tandem = new Tandem().file("p.csv", 'question,answer\n5" pipe,b,\nthe "red" one\n');
    const strict = await tandem.run("check", "--offline", "p.csv");
    expect(strict.code).toBe(2);
    expect(strict.out).toContain("--lenient");
    expect((await tandem.run("check", "--offline", "p.csv", "--lenient")).code).toBe(0);
  });
});
