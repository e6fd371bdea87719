import { describe, expect, test } from "vitest";
import { record, type Service, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

const cases = 12;

/** A bot that is right in so many tries of a case: 5 where nothing is said. */
const bot = (right: Readonly<Record<number, number>> = {}): Promise<Service> =>
  startService(({ prompt, time }) => record(time <= (right[Number(prompt.slice(2))] ?? 5) ? "right" : "wrong"));

const sheet = [
  "id,question,golden,kind",
  ...Array.from({ length: cases }, (_, i) => `k${i},q ${i},right,${i % 2 === 0 ? "even" : "odd"}`),
].join("\n");

const suite = (
  prod: Service,
  candidate: Service,
  { gate = "cases: { pass: 3 of 5 }", more = "" } = {},
): string => `name: golden
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [kind] }
deployments:
  prod: { base_url: "${prod.url}", api_key_env: TANDEM_API_KEY, retries: 0 }
  test: { base_url: "${candidate.url}", api_key_env: TANDEM_API_KEY, retries: 0 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: contains, primary: true }, { name: length, type: length }]
repeats: 5
reports: [terminal, json, junit, markdown]
gates: [{ metric: correct, ${gate} }]
${more}`;

interface Reported {
  verdict: { state: string; sentence: string };
  stopping?: { spared: number } | null;
  gates: {
    name: string;
    slice: { value: string } | null;
    state: string | null;
    details: string[];
    tries?: Record<string, unknown>;
  }[];
}

const fileOf = (tandem: Tandem, name: string): string => {
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id DESC LIMIT 1");
  return tandem.text(`results/${batch?.name}/${name}`);
};

const reportOf = (tandem: Tandem): Reported => {
  const reported: Reported = JSON.parse(fileOf(tandem, "report.json"));
  return reported;
};

describe("cases: { pass: 3 of 5 }", () => {
  test("is a regression that names the rows which do not hold, in every format", async () => {
    const [prod, other] = [await bot(), await bot({ 3: 2, 7: 0, 9: 3 })];
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(prod, other));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(1);
    const sentence = "2 of 12 rows fail in test on `correct` (fewer than 3 of 5 tries pass): k3, k7";
    expect(flat(out)).toContain(sentence);
    const { verdict, gates } = reportOf(tandem);
    expect(verdict.state).toBe("regression");
    expect(verdict.sentence).toContain(sentence);
    const [gate] = gates;
    expect(gate).toMatchObject({
      name: "correct (cases)",
      state: "regression",
      tries: { pass: 3, of: 5, cases: 12, held: 10, failing: 2, open: 0, rows: ["k3", "k7"] },
    });
    expect(gate?.details[0]).toBe(
      "By chance, with nothing changed: a row that passes 90 % of its tries fails this gate in 0.86 %, and of 12 such rows at least one does in 9.8 %; one that passes 95 % of its tries in 0.12 %, and at least one in 1.4 %; one that passes 99 % of its tries in less than 0.01 %, and at least one in 0.012 %.",
    );
    expect(fileOf(tandem, "junit.xml")).toContain("2 of 12 rows fail (fewer than 3 of 5 tries pass): k3, k7");
    expect(fileOf(tandem, "report.md")).toContain("(2 below 3 of 5 tries)");
    const compared = await tandem.run("compare", "latest");
    expect(compared.code).toBe(1);
    expect(flat(compared.out)).toContain(sentence);
  });

  test("passes where every row holds, though the bot is worse", async () => {
    const tandem = new Tandem()
      .file("sheet.csv", sheet)
      .file("suite.yaml", suite(await bot(), await bot({ 3: 3, 7: 4 })));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(0);
    expect(flat(out)).toContain("all 12 rows hold in test on `correct` (3 of 5 tries or more pass)");
  });

  test("is asked for each value of a tag", async () => {
    const given = { gate: "cases: { pass: 3 of 5 }, by: kind" };
    const tandem = new Tandem()
      .file("sheet.csv", sheet)
      .file("suite.yaml", suite(await bot(), await bot({ 3: 2 }), given));
    expect((await tandem.run("run", "suite.yaml")).code).toBe(1);
    const states = reportOf(tandem).gates.flatMap(({ name, state }) => (state === null ? [] : [[name, state]]));
    expect(states).toEqual([
      ["correct, kind even (cases)", "pass"],
      ["correct, kind odd (cases)", "regression"],
    ]);
  });

  test("stops a run as soon as one row cannot hold any more", async () => {
    const [prod, other] = [await bot(), await bot(Object.fromEntries(Array.from({ length: cases }, (_, i) => [i, 2])))];
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(prod, other));
    const { code, out } = await tandem.run("run", "suite.yaml", "--stop-when", "decided", "--concurrency", "1");
    expect(code).toBe(1);
    expect(flat(out)).toContain("REGRESSION");
    const { stopping } = reportOf(tandem);
    expect(stopping?.spared).toBeGreaterThan(0);
    expect(other.received.length).toBeLessThan(5 * cases);
  });

  test("is open where a row has too few tries to tell, and only there", async () => {
    // Of three tries three passes hold already; two do not tell.
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(await bot(), await bot({ 1: 2 })));
    const part = ["run", "suite.yaml", "--repeats", "3", "--limit"];
    const { code, out, err } = await tandem.run(...part, "6");
    expect(flat(err)).toContain('warning: The gate of "correct" asks for 5 tries of each row, but 3 are planned.');
    expect([code, reportOf(tandem).verdict.state]).toEqual([0, "inconclusive"]);
    expect(flat(out)).toContain("k1 has too few tries that are finished and graded to tell whether 3 of 5 pass");
    expect(reportOf(tandem).gates[0]?.tries).toMatchObject({ cases: 6, held: 5, failing: 0, open: 1 });
    const worse = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(await bot(), await bot({ 1: 0 })));
    expect((await worse.run(...part, "6")).code).toBe(1);
    expect(reportOf(worse).gates[0]?.tries).toMatchObject({ held: 5, failing: 1, open: 0, rows: ["k1"] });
  });

  test("names the row of a case that nobody gave a key", async () => {
    const text = suite(await bot(), await bot({ 3: 2 })).replace("key: id, ", "");
    const tandem = new Tandem().file("sheet.csv", sheet.replaceAll(/^[^,]*,/gm, "")).file("suite.yaml", text);
    expect((await tandem.run("run", "suite.yaml")).code).toBe(1);
    expect(reportOf(tandem).verdict.sentence).toContain("(fewer than 3 of 5 tries pass): row 5");
  });

  test("a key as long as a question is cut in the sentence, and whole in the file", async () => {
    const long = `हिन्दी ${"क्या ".repeat(100)}end`;
    const tandem = new Tandem()
      .file("sheet.csv", sheet.replace("k3,", `${long},`))
      .file("suite.yaml", suite(await bot(), await bot({ 3: 2 })));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect([code, flat(out)]).toEqual([1, expect.stringMatching(/tries pass\): हिन्दी (क्या )+\S*…/)]);
    const { verdict, gates } = reportOf(tandem);
    expect(verdict.sentence.length).toBeLessThan(400);
    expect(gates[0]?.tries?.["rows"]).toEqual([long]);
  });

  test("a try without an answer has not passed", async () => {
    const broken = await startService(({ prompt, time }) =>
      prompt === "q 4" && time <= 3 ? { status: 500, body: JSON.stringify({ error: "broken" }) } : record("right"),
    );
    const more = "";
    const gate = "cases: { pass: 3 of 5 } }, { errors: 0.5";
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(await bot(), broken, { gate, more }));
    expect((await tandem.run("run", "suite.yaml")).code).toBe(1);
    expect(reportOf(tandem).gates[0]?.tries).toMatchObject({ failing: 1, rows: ["k4"] });
  });

  test("one target alone is not taken for one that holds", async () => {
    const text = suite(await bot(), await bot()).replace(/\n {2}test: \{ deployment: test, .*/, "");
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", text);
    const { err } = await tandem.run("run", "suite.yaml");
    expect(flat(err)).toContain('warning: The gate of "correct" is not decided in this run: nothing is compared');
  });

  test("a part of a run is compared later, when the parts are merged", async () => {
    const tandem = new Tandem()
      .file("sheet.csv", sheet)
      .file("suite.yaml", suite(await bot(), await bot({ 3: 2, 7: 0 })));
    for (const part of ["1", "2"]) {
      const { err } = await tandem.run("run", "suite.yaml", "--shard", `${part}/2`, "--results", `part${part}`);
      expect(err).not.toContain("is not decided");
    }
    expect((await tandem.run("merge", "part1", "part2")).code).toBe(1);
    expect(reportOf(tandem).gates[0]?.tries).toMatchObject({ cases: 12, held: 10, failing: 2, rows: ["k3", "k7"] });
  });

  test("looks at rows that a pin lacks, or has with another question", async () => {
    const alone = async (candidate: Service, more = ""): Promise<string> =>
      suite(await bot(), candidate, { gate: `cases: { pass: 3 of 5 }${more} }, { errors: 0.3` }).replace(
        /\n {2}prod: \{ deployment: prod, .*/,
        "",
      );
    const few = sheet.split("\n").slice(0, 9).join("\n").replace("q 3", "q 33");
    const tandem = new Tandem().file("sheet.csv", few).file("suite.yaml", await alone(await bot()));
    await tandem.run("run", "suite.yaml");
    expect((await tandem.run("pin", "latest", "--as", "good")).code).toBe(0);
    const worse = { 3: 2, 8: 0 };
    tandem.file("sheet.csv", sheet).file("suite.yaml", await alone(await bot(worse)));
    const { code, out } = await tandem.run("run", "suite.yaml", "--against", "good");
    expect([code, reportOf(tandem).verdict.state]).toEqual([1, "regression"]);
    expect(flat(out)).toContain("2 of 12 rows fail in test on `correct` (fewer than 3 of 5 tries pass): k3, k8");
    expect(reportOf(tandem).gates[0]?.tries).toMatchObject({ cases: 12, held: 10, failing: 2, open: 0 });
    tandem.file("suite.yaml", await alone(await bot(worse), ", by: kind"));
    expect((await tandem.run("run", "suite.yaml", "--against", "good")).code).toBe(1);
    const rows = reportOf(tandem).gates.flatMap(({ tries }) => tries?.["rows"] ?? []);
    expect(rows).toEqual(["k8", "k3"]);
    // A kind that only a new row has is asked for too.
    const lines = sheet.trimEnd().split("\n");
    const last = lines.at(-1) ?? "";
    const other = `${[...lines.slice(0, -1), last.replace(/,[^,]*$/, ",brandnew")].join("\n")}\n`;
    tandem.file("sheet.csv", other).file("suite.yaml", await alone(await bot({ 11: 0 }), ", by: kind"));
    expect((await tandem.run("run", "suite.yaml", "--against", "good")).code).toBe(1);
    const bad = reportOf(tandem).gates.filter(({ state }) => state === "regression");
    expect(bad.map(({ slice, tries }) => [slice?.value, tries?.["rows"]])).toEqual([["brandnew", ["k11"]]]);
  });

  test("a confirmed margin beside it leaves it as the first look saw it", async () => {
    const more = "compare: { confirm: rerun }";
    const gate = "cases: { pass: 3 of 5 } }, { metric: correct, margin: 0.3";
    const wrong = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i, 2]));
    const tandem = new Tandem()
      .file("sheet.csv", sheet)
      .file("suite.yaml", suite(await bot(), await bot(wrong), { gate, more }));
    expect((await tandem.run("run", "suite.yaml")).code).toBe(1);
    const gates = reportOf(tandem).gates.filter(({ tries }) => tries !== undefined);
    expect(gates).toMatchObject([{ state: "regression", tries: { of: 5, cases: 12, failing: 9 } }]);
  });

  test("is refused as it is written, with its place, before anything is sent", async () => {
    const [prod, other] = [await bot(), await bot()];
    const tandem = new Tandem().file("sheet.csv", sheet);
    const refusals: [string, string, string?][] = [
      [
        "cases: { pass: 6 of 5 }",
        'suite.yaml:13:35: gates[0].cases asks for "6 of 5": it takes a number of passes and a number of tries',
      ],
      [
        "cases: { pass: 0 of 5 }",
        'suite.yaml:13:35: gates[0].cases asks for "0 of 5": it takes a number of passes and a number of tries',
      ],
      [
        "cases: { pass: 3 von 5 }",
        'suite.yaml:13:35: gates[0].cases asks for "3 von 5": it takes a number of passes and a number of tries',
      ],
      ["cases: { pass: 3 }", "suite.yaml:13:43: gates[0].cases.pass must be a text, got the number 3"],
      ["cases: 3", "suite.yaml:13:35: gates[0].cases must be"],
      [
        "cases: { pass: 3 of 4 }",
        "gates[0].cases asks for 4 tries, but each case is tried 5 times. Set repeats: 4 in the suite.",
      ],
      [
        "cases: { pass: 3 of 5 }, margin: 0.1",
        "gates[0].margin is one of two limits: cases asks each case for passes, a margin accepts a drop",
      ],
      [
        "cases: { pass: 3 of 5 }, losses: 0",
        "gates[0].losses is one of two limits: cases asks each case for passes, losses counts cases",
      ],
      ["cases: { pass: 3 of 5 }, of: value", "gates[0].of is not pass, but cases counts tries that pass"],
      [
        "cases: { pass: 3 of 5 }, confirm: rerun",
        "gates[0].confirm is rerun, but the tries of cases are asked already",
      ],
      [
        "cases: { pass: 3 of 5 } }, { metric: length, cases: { pass: 3 of 5 }",
        'counts passes, but "length" says neither pass nor fail',
      ],
    ];
    for (const [gate, words] of refusals) {
      tandem.file("suite.yaml", suite(prod, other, { gate }));
      const { code, err } = await tandem.run("run", "suite.yaml");
      expect([code, flat(err)]).toEqual([2, expect.stringContaining(words)]);
    }
    tandem.file("suite.yaml", suite(prod, other));
    const { code, err } = await tandem.run("run", "suite.yaml", "--repeats", "3");
    expect([code, flat(err)]).toEqual([
      2,
      expect.stringContaining('The gate of "correct" asks for 5 tries of each row, but 3 are planned.'),
    ]);
    expect([prod.received.length, other.received.length]).toEqual([0, 0]);
  });

  test("a plan says how often rows that did not change fail it", async () => {
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(await bot(), await bot()));
    const { code, out } = await tandem.run("check", "--offline", "suite.yaml", "--power");
    expect(code).toBe(0);
    expect(flat(out)).toContain(
      "correct, 3 of 5 tries: By chance, with nothing changed: a row that passes 90 % of its tries fails this gate in 0.86 %, and of 12 such rows at least one does in 9.8 %",
    );
    expect(flat(out)).not.toContain("The gate accepts");
  });
});
