import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { rawWorkbook } from "../dataset/raw-workbook.ts";
import { startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

interface Written {
  format?: unknown;
  case: { key?: string; input: { input_prompt: string }; expected?: string; cluster?: string; tags?: string[] };
  deployments: Record<string, { base_url: string }>;
  targets: Record<string, Record<string, unknown>>;
}

const suiteOf = (tandem: Tandem): Written => parse(tandem.text("tandem.yaml")) as Written;

/** Init with a sheet, nothing asked; what it said to the person, and the suite that it wrote. */
async function initOf(name: string, text: string | Buffer, ...flags: string[]) {
  const tandem = new Tandem().env({}).file(name, text);
  const { code, err } = await tandem.run("init", name, "--yes", ...flags);
  expect([code, err]).toEqual([0, err]);
  return { tandem, err, suite: suiteOf(tandem) };
}

describe("a sheet without a header", () => {
  const sheet =
    "What is the capital of France?,Paris\nWhat is the capital of Spain?,Madrid\nHow many legs has a bee?,6\n";

  test("is noticed: its first row is a case that is sent, and every command reads the suite so", async () => {
    const { tandem, err, suite } = await initOf("p.csv", sheet);
    expect(err).toContain("the first row is taken for a case, not for names of columns: it holds a question");
    expect(err).toContain("p.csv: 3 rows");
    expect(suite).toMatchObject({
      format: { header: false },
      case: { input: { input_prompt: "column A" }, expected: "column B" },
    });
    expect((await tandem.run("run", "tandem.yaml")).code).toBe(0);
    const sent = tandem.query<{ question: string; row: number }>(
      'SELECT input ->> \'$.input_prompt\' AS question, "row" AS row FROM "case" ORDER BY 2',
    );
    expect(sent.map(({ question, row }) => [row, question])).toEqual([
      [1, "What is the capital of France?"],
      [2, "What is the capital of Spain?"],
      [3, "How many legs has a bee?"],
    ]);
  });

  test("is a sheet with one where a person says so", async () => {
    const { err, suite } = await initOf("p.csv", sheet, "--header");
    expect(err).not.toContain("the first row is taken for a case");
    expect(suite.format).toBeUndefined();
    expect(suite.case.input.input_prompt).toBe("What is the capital of France?");
  });

  test("takes numbered rows for their keys, and says what became of a first row that may be either", async () => {
    const numbered = await initOf("p.csv", "7;Wo ist mein Paket;da\n8;Wann kommt es;nie\n9;Bitte stornieren;ok\n");
    expect(numbered.suite.case).toEqual({
      key: "column A",
      input: { input_prompt: "column B" },
      expected: "column C",
      tags: [],
    });
    const either = await initOf("p.csv", "Tell me of Rome\nTell me of Oslo\nTell me of Bern\n");
    expect(either.err).toContain("first row    taken for the names of the columns; if it is a case: --no-header");
  });

  test("is named by validate and run, which read it whole with --no-header", async () => {
    const tandem = new Tandem().file("p.csv", "Why is the sky blue?\nWhy is grass green?\n");
    const taken = await tandem.run("check", "--offline", "p.csv");
    expect(taken.err).toContain("the first row is taken for names of columns, and it holds a question");
    expect(taken.err).toContain("--no-header");
    expect(taken.out).toContain("p.csv: valid, 1 row\n");
    const whole = await tandem.run("check", "--offline", "p.csv", "--no-header");
    expect(whole.err).not.toContain("names of columns");
    expect(whole.out).toContain("p.csv: valid, 2 rows\n");
  });

  test.each([
    ["numbers above numbers", "4711,Wo ist mein Paket,12\n4712,Wie lange noch,15\n4713,Bitte stornieren,9\n", true],
    [
      "a value that comes again",
      "geography,Capital of France\ngeography,Capital of Spain\ngeography,Area of Peru\n",
      true,
    ],
    ["sentences", "Cancel my order of last week please.\nSend it to my new address instead.\n", true],
    ["Chinese questions", "法国的首都是哪里？,巴黎\n西班牙的首都是哪里？,马德里\n", true],
    ["Spanish questions", "¿Dónde está mi pedido?;En camino\n¿Cuándo llega?;Mañana\n", true],
    ["an answer that is also a name", "Which metal is Au?,gold\nWhich metal is Fe?,iron\n", true],
    ["known names", "question,expected\nWho?,Me\nWhen?,Now\n", false],
    ["a question as the name of a column of answers", "text,Is it polite?\nHello you,yes\nGo away,no\n", false],
    ["a form that asks", "What would you ask?,What is your question about?\nWho?,people\nWhen?,time\n", false],
    ["names that nobody knows", "alpha,beta\nTell me of Rome,long ago\nTell me of Oslo,up north\n", false],
    ["a header that stands twice", "alpha,beta\nRome,long ago\nalpha,beta\nOslo,north\nalpha,beta\n", false],
    ["a year as a name", "prompt,2025\nWho?,1\nWhen?,2\n", false],
  ])("is told from one with a header: %s", async (_, text, isData) => {
    const { suite } = await initOf("p.csv", text);
    expect(suite.format).toEqual(isData ? { header: false } : undefined);
  });
});

describe("the column of expected answers", () => {
  test.each(
    [
      "标准答案",
      "参考答案",
      "正确答案",
      "期望答案",
      "预期结果",
      "標準答案",
      "正解",
      "模範解答",
      "모범 답안",
      "정답",
      "Erwartet",
      "Erwartete Antwort",
    ].concat(
      ["Musterlösung", "Soll", "Réponse attendue", "Respuesta esperada", "Gabarito", "Risposta corretta", "Rätt svar"],
      [
        "Ожидаемый ответ",
        "Эталон",
        "Beklenen cevap",
        "الإجابة الصحيحة",
        "अपेक्षित उत्तर",
        "सही उत्तर",
        "เฉลย",
        "Đáp án",
        "Kunci jawaban",
      ],
      ["Expected result", "Right answer"],
    ),
  )("is known by its name: %s", async (name) => {
    const { err, suite } = await initOf("p.csv", `问题,${name},分类\nWho?,Me,a\nWhen?,Now,a\n`);
    expect(suite.case).toMatchObject({ input: { input_prompt: "问题" }, expected: name });
    expect(err).toContain(`  answer       ${name}\n`);
    const known = await new Tandem().file("p.csv", `Frage,${name}\nWho?,Me\n`).run("check", "--offline", "p.csv");
    expect(known.out).toContain("expected answers: 1,");
  });

  test("is said to be a guess where its name says less, and a person is told where none was found", async () => {
    const [taken, worded, none] = await Promise.all([
      initOf("p.csv", "question,response\nWho?,Me\nWhen?,Now\n"),
      initOf("p.csv", "question,Antwort (DE)\nWho?,Me\nWhen?,Now\n"),
      initOf("p.csv", "question,remark\nWho?,Me\nWhen?,Now\n"),
    ]);
    expect(taken.err).toContain("response (taken for the expected answer: if a bot gave these answers, change it");
    expect(taken.tandem.text("tandem.yaml")).toContain("taken for the expected answer; answers that a bot gave");
    expect(worded.err).toContain("Antwort (DE) (a guess by a word of its name: change it in the suite");
    expect(none.err).toContain('answer       none found among "remark": no answer is graded as right or wrong');
    expect(none.err).toContain("case: { expected: COLUMN }");
    expect(none.suite.case.expected).toBeUndefined();
  });
});

describe("what a spreadsheet leaves in a sheet", () => {
  const odd = [
    "id,topic,question,expected",
    "1,Geography,What is the capital of France?,#REF!",
    '2,,"=VLOOKUP(A2;Sheet2!A:B;2)",Madrid',
    "3,,What is the capital of Italy?,#BEZUG!",
    "4,Animals,How many legs has a spider?,=C4",
    "5,,How many legs has a bee?,6",
    "6,,How many legs has a dog?,=4 legs",
  ].join("\n");

  test("is warned of by init, as by validate of the suite that it writes", async () => {
    const { tandem, err } = await initOf("p.csv", odd);
    const { err: reported } = await tandem.run("check", "--offline", "tandem.yaml");
    const warnings = [
      '(row 2): column "expected" holds the error #REF!',
      '(row 3): column "question" holds the formula "=VLOOKUP(A2;Sheet2!A:B;2)" instead of its value',
      '(row 4): column "expected" holds the error #BEZUG!',
      '(row 5): column "expected" holds the formula "=C4" instead of its value',
      '(row 3): column "topic" is blank here and in 3 more rows, each below one of 2 values, as an export of merged cells',
    ];
    for (const warning of warnings) {
      expect(err).toContain(warning);
      expect(reported).toContain(warning);
    }
    expect(err).not.toContain("(row 7)");
  });

  test("is listed in JSON, and the first of many alone are told", async () => {
    const rows = Array.from({ length: 9 }, (_, i) => `${i + 1},Question ${i + 1},#N/A`);
    const tandem = new Tandem().env({}).file("p.csv", `id,question,expected\n${rows.join("\n")}\n`);
    const { out } = await tandem.run("init", "p.csv", "--dir", "one", "--json");
    expect((JSON.parse(out) as { warnings: { kind: string }[] }).warnings.map(({ kind }) => kind)).toEqual(
      rows.map(() => "spreadsheet-error"),
    );
    const { err } = await tandem.run("init", "p.csv", "--dir", "two", "--yes");
    expect(err.split("holds the error #N/A").length - 1).toBe(3);
    expect(err).toContain("6 more rows like the last: tandem check two/tandem.yaml lists them");
  });

  test("is no warning where cells are blank for other reasons", async () => {
    const rows = ["en,Who?,Me", "en,When?,Now", ",Where?,Here", "de,Why?,So", ",Whose?,Mine", ",What?,It"];
    const { err } = await initOf("p.csv", `language,question,expected\n${rows.join("\n")}\n`);
    expect(err).not.toContain("merged cells");
    // A message without a conversation is of the one above it.
    const message = (at: number): string =>
      `${at % 4 === 1 ? `t${at}` : ""},2026-05-01 10:0${at % 10},${at % 2 === 1 ? "user,Where" : "assistant,There"} ${at}`;
    const talks = Array.from({ length: 16 }, (_, at) => message(at + 1));
    const chat = await initOf("talks.csv", `conversation_id,created_at,role,content\n${talks.join("\n")}\n`);
    expect(chat.err).not.toContain("merged cells");
  });
});

describe("a sheet or a configuration of promptfoo", () => {
  const judged = 'question,__expected\nWhere?,"llm-rubric:says here"\nWhen?,contains:now\n';
  const config =
    'prompts: ["Say: {{question}}"]\nproviders: [openai:gpt-4.1-mini]\ntests: [{ vars: { question: Where? } }]\n';

  test.each([
    ["p.csv", judged, "Where?"],
    ["p.csv", "question,__expected\nWhere?,contains:here\n", "Where?"],
    ["promptfooconfig.yaml", config, "Say: Where?"],
  ])("keeps --url and --body: %s", async (name, text, first) => {
    const service = await startService(({ body }) => ({
      body: JSON.stringify({ said: { text: `here, now: ${(JSON.parse(body) as { q: string }).q}` } }),
    }));
    const bot = ["--url", `${service.url}/ask`, "--body", '{"q":"{{ input_prompt }}"}'];
    const { tandem, suite } = await initOf(name, text, ...bot);
    expect(JSON.parse(service.received[0]?.body ?? "")).toEqual({ q: first });
    expect(suite.deployments["mine"]).toEqual({ base_url: service.url });
    expect(suite.targets).toEqual({
      mine: {
        deployment: "mine",
        endpoint: { path: "/ask", body: { q: "{{ input_prompt }}" }, answer: "$.said.text" },
      },
    });
    expect(tandem.has("bots/bots/assistant.yaml")).toBe(false);
    expect((await tandem.run("run", "tandem.yaml")).code).toBe(0);
    expect(tandem.query("SELECT DISTINCT target, answer FROM run_records WHERE kind = 'case'")).toEqual([
      { target: "mine", answer: "answered" },
    ]);
  });

  test("keeps --bots, beside the judge that stands in for one", async () => {
    const tandem = new Tandem().env({}).file("p.csv", judged).file("own/bots/one.yaml", "fallback: I am here now.\n");
    expect((await tandem.run("init", "p.csv", "--yes", "--bots", "own")).code).toBe(0);
    expect(Object.keys(suiteOf(tandem).targets)).toEqual(["one"]);
    expect((await tandem.run("run", "tandem.yaml")).code).toBe(0);
    expect(tandem.query("SELECT count(*) AS n FROM run_records WHERE kind = 'case' AND target = 'one'")).toEqual([
      { n: 2 },
    ]);
  });
});

describe("a column by whose name rows were drawn together", () => {
  const rows = (name: string): string =>
    [
      `id,question,golden,${name},kind`,
      ...Array.from({ length: 60 }, (_, i) => `k${i},question ${i}?,answer ${i},g${i % 20},t${i % 3}`),
    ].join("\n");

  test("is proposed as cluster, with the way to make a tag of it, and is no tag", async () => {
    const { tandem, err, suite } = await initOf("p.csv", rows("article"));
    expect(suite.case).toMatchObject({ cluster: "article", tags: ["kind"] });
    expect(tandem.text("tandem.yaml")).toContain("write article into `tags` instead");
    expect(err).toContain("article (a proposal: rows of one value go right or wrong together)");
    expect((await tandem.run("check", "--offline", "tandem.yaml")).code).toBe(0);
  });

  test("is a tag where its name does not say so", async () => {
    const { suite } = await initOf("p.csv", rows("intent"));
    expect(suite.case).toMatchObject({ tags: ["intent", "kind"] });
    expect(suite.case.cluster).toBeUndefined();
  });
});

test("a workbook with a title and another table is understood, init says how, and the suite runs", async () => {
  const rows = [
    ["Questions for November"],
    ["question", "expected", null, "Person"],
    ["When do you open?", "at 9", null, "Ann"],
    ["Is there a café?", "no", null, "Bob"],
    [null, null, null, "Cem"],
  ];
  const { tandem, err, suite } = await initOf("p.xlsx", rawWorkbook([{ name: "S", rows }]));
  expect(err).toContain('p.xlsx: row 1 ("Questions for November") is taken for a title: the header is row 2');
  expect(err).toContain('p.xlsx: column D ("Person") is taken for another table and not read');
  expect(suite.case).toMatchObject({ input: { input_prompt: "question" }, expected: "expected" });
  expect((await tandem.run("run", "tandem.yaml")).code).toBe(0);
  expect(tandem.query('SELECT "row" AS row FROM "case" ORDER BY 1')).toEqual([{ row: 3 }, { row: 4 }]);
});

test("of a workbook the sheet with most rows is read, and init says which; a flag names another", async () => {
  const rows = [
    ["id", "Frage", "Antwort"],
    ...Array.from({ length: 9 }, (_, i) => [`k${i}`, `Frage ${i}?`, `${i} Uhr`]),
  ];
  const sheets = [
    {
      name: "Deckblatt",
      rows: [
        ["Titel", "Stand"],
        ["x", "y"],
      ],
    },
    { name: "Fragen", rows },
    { name: "Listen", rows: [["a"], ["b"], ["c"]] },
  ];
  const { err, suite } = await initOf("p.xlsx", rawWorkbook(sheets));
  expect(err).toContain(
    "p.xlsx: the sheet Fragen (9 rows) is read, not Deckblatt (1 row) or Listen (2 rows); --sheet NAME takes another",
  );
  expect(suite).toMatchObject({ format: { sheet: "Fragen" }, case: { expected: "Antwort" } });
  const other = await initOf("p.xlsx", rawWorkbook(sheets), "--sheet", "Listen");
  expect(other.suite).toMatchObject({ format: { sheet: "Listen" } });
});
