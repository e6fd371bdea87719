import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

/** A sheet of stored answers: whether each row is right on both sides, one letter a row of `+` and `-`. */
function sheet(old: string, now: string, more: Record<string, (row: number) => string> = {}): string {
  const extra = Object.entries(more);
  const rows = Array.from(old, (_, row) => {
    const said = (right: string | undefined): string => (right === "+" ? `answer ${row}` : right === " " ? "" : "no");
    const cells = [`k${row}`, `question ${row}?`, `answer ${row}`, said(old[row]), said(now[row])];
    return [...cells, ...extra.map(([, cell]) => cell(row))].join(",");
  });
  return [["id", "question", "golden", "old", "new", ...extra.map(([name]) => name)].join(","), ...rows].join("\n");
}

const suite = (more = "gates: [{ metric: correct, margin: 0.05 }]", mapping = ""): string => `name: words
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden${mapping} }
targets:
  old: { answers: old }
  new: { answers: new }
scorers: [{ name: correct, type: equals }]
${more}
`;

interface Reported {
  verdict: { state: string; word: string | null; claim: string; sentence: string; details: string[] };
  pairs: { candidate: string; word: string | null; claim: string }[];
  gates: { name: string; word: string | null; state: string | null }[];
}

interface Told {
  code: number | null;
  out: string;
  model: Reported;
}

/** Runs the suite, and tells what stands at the top. */
async function told(tandem: Tandem, ...flags: string[]): Promise<Told> {
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--quiet", ...flags, "-o", "all.json");
  expect([0, 1, 4], err).toContain(code);
  return { code, out: flat(out), model: JSON.parse(tandem.text("all.json")) as Reported };
}

const of = (old: string, now: string, text = suite()): Tandem =>
  new Tandem().file("sheet.csv", sheet(old, now)).file("suite.yaml", text);

describe("the word at the top", () => {
  test("is BETTER where the main metric is surely better, with the end of the interval that decides", async () => {
    const { code, out, model } = await told(of("+".repeat(54) + "-".repeat(21), "+".repeat(75)));
    expect(code).toBe(0);
    expect(out).toContain(
      "BETTER new is better than old on `correct`: 21 of 75 rows newly pass metric old new change range (95 %) limit correct 72.0 % 100.0 % +28.0 points +18.2 to",
    );
    expect(model.verdict).toMatchObject({ state: "pass", word: "better", claim: "better" });
    expect(model.pairs).toMatchObject([{ candidate: "new", word: "better", claim: "better" }]);
    // Four that won and none that lost of 120 is none.
    const few = await told(of(`${"+".repeat(116)}----`, "+".repeat(120)));
    expect(few.model.verdict).toMatchObject({ word: "pass", claim: "same" });
  });

  test("is WORSE where the loss is sure and the limit open: exit 0, and 1 where that is asked", async () => {
    const tandem = of("+".repeat(58), "-".repeat(6) + "+".repeat(52));
    const { code, out, model } = await told(tandem);
    expect(code).toBe(0);
    expect(out).toContain("WORSE new is worse than old on `correct`: 6 of 58 rows newly fail");
    expect(out).toMatch(/ -10\.3 points -[\d.]+ to -[\d.]+ 5 points/);
    expect(model.verdict).toMatchObject({ state: "inconclusive", word: "worse", claim: "worse" });
    const codeOf = async (...flags: string[]): Promise<number | null> =>
      (await tandem.run("compare", "latest", ...flags)).code;
    expect(await codeOf("--fail-on", "worse")).toBe(1);
    expect(await codeOf("--fail-on", "inconclusive")).toBe(4);
    expect(await codeOf("--fail-on", "inconclusive", "--fail-on", "worse")).toBe(1);
    expect(await codeOf()).toBe(0);
  });

  test("of a sure loss within the limit is PASS, and says so", async () => {
    const { code, out, model } = await told(of("+".repeat(1000), "-".repeat(20) + "+".repeat(980)));
    expect(code).toBe(0);
    expect(out).toContain("PASS new is worse than old on `correct`, but by less than the limit of 5 points:");
    expect(model.verdict).toMatchObject({ state: "pass", word: "pass", claim: "worse" });
  });

  test("is TOO FEW ROWS where more would settle it, whatever their number", async () => {
    const { code, out, model } = await told(of("+".repeat(40), "+".repeat(40)));
    expect(code).toBe(0);
    expect(out).toContain(
      "TOO FEW ROWS no difference in 40 rows (same answers), but 40 cannot rule out a loss of 5 points; 103 rows can",
    );
    expect(model.verdict).toMatchObject({ state: "inconclusive", word: "too-few-cases", claim: "none" });
  });

  test("is CANNOT TELL where both bots fail everything, which more cases do not mend", async () => {
    const tandem = of("-".repeat(75), "-".repeat(75));
    const { code, out, model } = await told(tandem);
    expect(code).toBe(0);
    expect(out).toContain("CANNOT TELL Both bots pass 0 of 75, so `correct` cannot tell them apart");
    expect(model.verdict).toMatchObject({ state: "inconclusive", word: "cannot-tell", claim: "none" });
    expect((await tandem.run("compare", "latest", "--fail-on", "inconclusive")).code).toBe(4);
  });

  test("is REGRESSION where more is lost than the limit, and claims nothing beyond rows that are counted", async () => {
    const { code, out, model } = await told(of("+".repeat(100), "-".repeat(20) + "+".repeat(80)));
    expect(code).toBe(1);
    expect(out).toContain("REGRESSION new is worse than old on `correct`: 20 of 100 rows newly fail");
    expect(model.verdict).toMatchObject({ state: "regression", word: "regression", claim: "worse" });
    const counted = await told(
      of("+".repeat(100), `-${"+".repeat(99)}`, suite("gates: [{ metric: correct, losses: 0 }]")),
    );
    expect(counted.code).toBe(1);
    expect(counted.out).toContain("REGRESSION 1 of 100 rows newly fails in new on `correct`; the limit is 0");
    expect(counted.model.verdict).toMatchObject({ word: "regression", claim: "none" });
  });

  test("of several candidates is the gravest, with the others in the next sentence", async () => {
    const rows = Array.from({ length: 75 }, (_, row) => {
      const right = `answer ${row}`;
      const cells = [right, row < 54 ? right : "no", right, row < 35 ? right : "no"];
      return [`k${row}`, `question ${row}?`, right, cells[1], cells[2], cells[3]].join(",");
    });
    const tandem = new Tandem()
      .file("sheet.csv", ["id,question,golden,old,good,bad", ...rows].join("\n"))
      .file(
        "suite.yaml",
        suite("gates: [{ metric: correct, margin: 0.05 }]").replace(
          "  new: { answers: new }",
          "  good: { answers: good }\n  bad: { answers: bad }",
        ),
      );
    const { code, out, model } = await told(tandem);
    expect(code).toBe(1);
    expect(out).toContain("REGRESSION bad is worse than old on `correct`:");
    expect(out).toContain("; good is better ");
    expect(out).not.toContain("good is better than");
    expect(model.pairs).toMatchObject([
      { candidate: "good", word: "better", claim: "better" },
      { candidate: "bad", word: "regression", claim: "worse" },
    ]);
  });

  test("tells of a loss as of a problem, whatever the exit code", async () => {
    const service = await startService(() => record("ok"));
    const tandem = of("+".repeat(58), "-".repeat(6) + "+".repeat(52));
    const notify = ["--notify", `${service.url}/hook`, "--notify-on", "problem"];
    const { code } = await tandem.run("run", "suite.yaml", "--quiet", ...notify);
    expect(code).toBe(0);
    expect(service.received).toHaveLength(1);
    expect(service.received[0]?.body).toContain("words: WORSE (new) - new is worse than old on");
    const fine = of("+".repeat(100), "+".repeat(100));
    await fine.run("run", "suite.yaml", "--quiet", ...notify);
    expect(service.received).toHaveLength(1);
  });

  test("names a judge that nobody checked beside the verdict", async () => {
    const service = await startService(({ path }) =>
      record(path.includes("judge") ? '{"score": 1, "verdict": "C", "reason": "fine"}' : "an answer"),
    );
    const rows = Array.from({ length: 20 }, (_, row) => `k${row},question ${row}?`);
    const tandem = new Tandem().file("sheet.csv", ["id,question", ...rows].join("\n")).file(
      "suite.yaml",
      `dataset: sheet.csv
case: { key: id, input: { input_prompt: question } }
deployments: { here: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY } }
targets:
  old: { deployment: here, endpoint: video-bots, example_id: a }
  new: { deployment: here, endpoint: video-bots, example_id: b }
judges: { strict: { deployment: here, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: strict }]
`,
    );
    const { out } = await tandem.run("run", "suite.yaml", "--quiet");
    expect(flat(out)).toContain("Graded by `helpful`, a judge that was not checked against people.");
  });
});
