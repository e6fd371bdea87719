import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const header = "Conversation ID,Sent,User Message,Assistant Message,Feedback,Run URL";
const url = (id: string): string => `https://bots.example.test/agent/?run_id=${id}&uid=u`;

/** Rows in the order of an export: the latest first, conversations among each other. */
const chats = [
  header,
  `t1,2026-11-03 10:09,और रविवार?,११ से १६ तक,👎🏽 wrong day,${url("aaaabbbbcc03")}`,
  `t2,2026-11-03 10:05,"ሰላም, ""you""",Hello!,positive,${url("aaaabbbbcc02")}`,
  `t1,2026-11-03 10:00,कब खुला है?,९ से १७ तक,👍,${url("aaaabbbbcc01")}`,
  `t2,2026-11-03 10:20,👩🏽‍🌾?,,no comment,`,
  `,2026-11-03 11:00,Alone,"Two
lines",,`,
  "",
].join("\n");

interface StoredRun {
  key: string;
  prompt: string;
  turn: number;
  outcome: string;
  error: string | null;
  text: string | null;
  runId: string | null;
  createdAt: string | null;
  attempts: number;
}

const storedRuns = (tandem: Tandem, target: string): StoredRun[] =>
  tandem.query<StoredRun>(
    `SELECT "case".key, "case".input ->> '$.input_prompt' AS prompt, "case".turn, job.outcome, job.error,
       run_records.output ->> '$.output_text[0]' AS text, run_records.id AS runId, run_records.created_at AS createdAt,
       (SELECT count(*) FROM attempts WHERE attempts.job_id = job.id) AS attempts
     FROM job JOIN "case" ON "case".id = job.case_id JOIN target ON target.id = job.target_id
     LEFT JOIN run_records ON run_records.job_id = job.id WHERE target.name = ? ORDER BY "case".place`,
    target,
  );

describe("an export of chats", () => {
  test("runs with nothing but an address: the stored answers are the baseline, feedback becomes labels", async () => {
    const service = await startService(({ prompt }) => record(`now: ${prompt}`));
    const tandem = new Tandem().file("chats.csv", chats);
    const args = ["run", "chats.csv", "--deployment", `prod=${service.url}`, "--example-id", "a"];
    const { err } = await tandem.run(...args, "--json");
    expect(err).toContain('the rows of one "Conversation ID" are its turns, in the order of "Sent"');
    expect(err).toContain("5 rows for stored, prod = 5 jobs and 5 stored answers");
    expect(service.received.map(({ prompt }) => prompt).toSorted()).toEqual(
      ["Alone", "कब खुला है?", "और रविवार?", 'ሰላም, "you"', "👩🏽‍🌾?"].toSorted(),
    );
    const sunday = service.received.find(({ prompt }) => prompt === "और रविवार?");
    expect(JSON.parse(sunday?.body ?? "{}")).toMatchObject({
      messages: [
        { role: "user", content: "कब खुला है?" },
        { role: "assistant", content: "now: कब खुला है?" },
      ],
    });
    const nothing = { error: null, attempts: 0 };
    expect(storedRuns(tandem, "stored")).toMatchObject([
      { turn: 2, outcome: "ok", text: "११ से १६ तक", runId: "aaaabbbbcc03", createdAt: "2026-11-03 10:09", ...nothing },
      { turn: 1, outcome: "ok", text: "Hello!", runId: "aaaabbbbcc02", ...nothing },
      { turn: 1, outcome: "ok", text: "९ से १७ तक", runId: "aaaabbbbcc01", ...nothing },
      { turn: 2, outcome: "missing", error: "the row has no stored answer", text: null },
      { turn: 1, outcome: "ok", text: "Two\nlines", runId: null, ...nothing },
    ]);
    expect(
      tandem.query(
        `SELECT run_records.id, label.value, label.note, label.author FROM label JOIN run_records USING (job_id) ORDER BY 1`,
      ),
    ).toEqual([
      { id: "aaaabbbbcc01", value: 1, note: null, author: "dataset" },
      { id: "aaaabbbbcc02", value: 1, note: null, author: "dataset" },
      { id: "aaaabbbbcc03", value: 0, note: "wrong day", author: "dataset" },
    ]);
    const [batch] = tandem.query<{ name: string; compare: string }>(
      "SELECT name, suite -> '$.compare.baseline' AS compare FROM batch",
    );
    expect(batch?.compare).toBe('"stored"');
    const runs = readFileSync(join(tandem.folder, "results", batch?.name ?? "", "runs.csv"), "utf8");
    expect(runs).toContain(
      `"stored",1,"answered","answered","aaaabbbbcc01","${url("aaaabbbbcc01")}","2026-11-03 10:00","९ से १७ तक",,0`,
    );
  });

  test("without a bot sends nothing, and says how to compare; a plain sheet without a bot is refused", async () => {
    const tandem = new Tandem().env({}).file("chats.csv", chats).file("plain.csv", "question,answer\na,b\n");
    const { code, err, out } = await tandem.run("run", "chats.csv");
    // One of five rows has no answer.
    expect(code, err).toBe(4);
    expect(out).toContain("INVALID  stored gave no answer in 1 of 5 rows (20 %");
    expect(err).toContain("To compare with a bot: --deployment NAME=URL --example-id ID.");
    expect(err).toContain("0 jobs and 5 stored answers");
    expect(storedRuns(tandem, "stored").filter(({ outcome }) => outcome === "ok")).toHaveLength(4);
    const plain = await tandem.run("run", "plain.csv");
    expect(plain.code).toBe(2);
    expect(plain.err).toContain("tandem init plain.csv");
    const plan = await tandem.run("check", "--offline", "chats.csv");
    expect(plan.out).toContain('the column "Assistant Message"');
    expect(plan.out).toContain("5 stored answers");
  });

  test("of standard input is the same, in the order of its times", async () => {
    const tandem = new Tandem().env({}).file("chats.csv", chats).under("exec < chats.csv");
    const { code, err } = await tandem.run("run", "-", "--name", "piped");
    expect(code, err).toBe(4);
    expect(storedRuns(tandem, "stored").map(({ turn }) => turn)).toEqual([2, 1, 1, 2, 1]);
  });

  test("is written into a suite by init, which runs at once, and again with what has changed or failed", async () => {
    const tandem = new Tandem().env({}).file("chats.csv", chats);
    expect((await tandem.run("init", "chats.csv", "--yes")).code).toBe(0);
    const suite = readFileSync(join(tandem.folder, "tandem.yaml"), "utf8");
    expect(suite).toContain(
      "before: {answers: Assistant Message, run_url: Run URL, created_at: Sent, label: Feedback}",
    );
    expect(suite).toContain("order_by: Sent");
    expect([0, 4]).toContain((await tandem.run("run", "tandem.yaml")).code);
    // A row without a stored answer has not failed: nothing was asked.
    const failed = await tandem.run("run", "tandem.yaml", "--failed");
    expect(failed.code).toBe(2);
    expect(failed.err).toContain("Nothing is left to run");
    tandem.file("chats.csv", chats.replace("Alone", "All alone"));
    expect((await tandem.run("check", "--offline", "tandem.yaml", "--changed")).out).toContain(
      "1 row, 1 job, 1 stored answer",
    );
    expect((await tandem.run("check", "--offline", "tandem.yaml", "--target", "before")).out).toContain(
      "0 jobs, 5 stored answers",
    );
  });
});

describe("rows without a stored answer", () => {
  const sheet = (blank: (row: number) => boolean): Tandem => {
    const rows = Array.from(
      { length: 80 },
      (_, i) => `q${i + 1},Question ${i + 1}?,yes,yes,${blank(i + 2) ? "" : "yes"}`,
    );
    return new Tandem()
      .env({})
      .file("sheet.csv", ["id,question,expected,prod,test", ...rows].join("\n"))
      .file(
        "tandem.yaml",
        `dataset: sheet.csv
case: { key: id, expected: expected }
targets: { prod: { answers: prod }, test: { answers: test } }
scorers: [{ name: correct, type: equals }]
`,
      );
  };

  test("are named by their numbers in the sheet, beside the verdict too", async () => {
    const { code, out, err } = await sheet((row) => row === 7 || row === 32).run("run");
    expect(code).toBe(0);
    expect(err).toContain("test has no stored answer in rows 7 and 32.");
    expect(out).toContain("answered  test 78 of 80; missing: rows 7 and 32");
    expect(out).toContain("(such as row 7)");
  });

  test("of which there are too many are to be filled, with the column and the rows", async () => {
    const { code, out } = await sheet((row) => row % 4 === 3).run("run");
    expect(code).toBe(4);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "Next: fill column `test` of sheet.csv in rows 3, 7, 11 and 17 more, then run it again: tandem run",
    );
  });
});

describe("stored answers in a suite", () => {
  const turns = 10;
  const talks = [
    "talk,turn,question,said",
    ...[1, 2, 3].flatMap((talk) =>
      Array.from({ length: turns }, (_, i) => `t${talk},${i + 1},q ${talk}.${i + 1},said ${talk}.${i + 1}`),
    ),
  ];
  const suite = (address: string): string => `dataset: talks.csv
case: { input: { input_prompt: question }, cluster: talk, turn: turn }
deployments: { prod: { base_url: "${address}", concurrency: 4 } }
targets:
  before: { answers: said }
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
repeats: 2
`;

  test("of shards are put together with the rest", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem().file("talks.csv", talks.join("\n")).file("suite.yaml", suite(service.url));
    for (const part of [1, 2]) {
      const { code, err } = await tandem.run("run", "suite.yaml", "--shard", `${part}/2`, "--results", `part-${part}`);
      expect([0, 2, 4], err).toContain(code);
    }
    const { code, err } = await tandem.run("merge", "part-1", "part-2", "--results", "results");
    expect([0, 4], err).toContain(code);
    expect(storedRuns(tandem, "before").map(({ text }) => text)).toEqual(
      talks.slice(1).map((row) => row.split(",")[3]),
    );
  });

  test("of functions are what they returned; a suite of stored answers alone needs no deployment", async () => {
    const tandem = new Tandem()
      .env({})
      .file("sums.csv", 'a,b,returned\n1,2,3\n1,x,"{""error"": ""b is no number""}"\nq,r,a text\n4,5,\n')
      .file(
        "suite.yaml",
        "dataset: sums.csv\ntargets: { then: { answers: returned, endpoint: functions } }\ngates: [{ errors: 1 }]\n",
      );
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code, err).toBe(0);
    expect(
      tandem.query(
        `SELECT job.answer, output -> '$.return_value' AS returned FROM job JOIN "case" ON "case".id = case_id
         LEFT JOIN run_records ON run_records.job_id = job.id ORDER BY place`,
      ),
    ).toEqual([
      { answer: "answered", returned: "3" },
      { answer: "function-error", returned: '{"error":"b is no number"}' },
      { answer: "answered", returned: '"a text"' },
      { answer: null, returned: null },
    ]);
  });

  test("of a script are a list of as many replies, or the last reply; a template may make them", async () => {
    const tandem = new Tandem()
      .env({})
      .file("talks.csv", 'id,script,said\na,"[""one?"", ""two?""]","[""1"", ""2""]"\nb,"[""three?"", ""four?""]",4\n')
      .file(
        "suite.yaml",
        `dataset: talks.csv
case: { key: id, turns: script }
targets: { then: { answers: said }, shouted: { answers: "{{ said | upcase }}!" } }
`,
      );
    // An earlier turn, of which nothing is kept, is none that is missing.
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(storedRuns(tandem, "then").map(({ key, outcome, text }) => [key, outcome, text])).toEqual([
      ["a/1", "ok", "1"],
      ["a/2", "ok", "2"],
      ["b/1", "not-asked", null],
      ["b/2", "ok", "4"],
    ]);
    expect(storedRuns(tandem, "shouted").at(-1)?.text).toBe("4!");
  });

  test("that name a column which is not there are a fault of the suite's key", async () => {
    const tandem = new Tandem()
      .file("talks.csv", talks.join("\n"))
      .file("suite.yaml", suite("https://x.test").replace("answers: said", "answers: sayd"));
    const { code, out } = await tandem.run("check", "--offline", "suite.yaml");
    expect(code).toBe(2);
    expect(out).toContain('no column "sayd", which targets.before.answers names. Did you mean "said"?');
  });
});
