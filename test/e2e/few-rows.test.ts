import { expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

/** The sheet of a suite of two bots whose answers never vary; `lost` rows fail with the candidate. */
async function desk(rows: number, lost: number): Promise<Tandem> {
  const { url } = await startService(({ path, prompt }) => {
    const row = Number(/\d+/.exec(prompt)?.[0]);
    return record(path.includes("=b") && row < lost ? "no" : `answer ${row}`);
  });
  const suite = `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: a }
  test: { deployment: here, endpoint: video-bots, example_id: b }
scorers: [{ name: correct, type: equals }]
`;
  return withRows(new Tandem().file("tandem.yaml", suite), rows);
}

const withRows = (tandem: Tandem, rows: number): Tandem =>
  tandem.file(
    "sheet.csv",
    ["id,question,golden", ...Array.from({ length: rows }, (_, row) => `k${row},question ${row}?,answer ${row}`)].join(
      "\n",
    ),
  );

/** Everything that tells of numbers of rows: the plan, the terminal and the reports. */
async function told(tandem: Tandem, ...flags: string[]) {
  const plan = flat((await tandem.run("check", "--offline")).out);
  const run = await tandem.run("run", ...flags, "-o", "report.md", "-o", "report.json");
  // The model that the page is made of.
  const summary = tandem.text("report.json");
  const markdown = tandem.text("report.md").replaceAll("&#96;", "`").replaceAll("&#91;", "[").replaceAll("&#93;", "]");
  return { before: plan, after: [flat(run.err + run.out), flat(markdown), flat(summary)], out: flat(run.out) };
}

/** Numbers of rows that a PASS is said to take: in a first run, and in all after one that was open. */
function numbers(text: string): { first: string[]; added: string[] } {
  const all = (pattern: RegExp): string[] => [...new Set(Array.from(text.matchAll(pattern), ([, of = ""]) => of))];
  return {
    first: all(/([\d,]+) are enough to say PASS/g),
    added: all(/([\d,]+) in all(?: if you add rows|, enough to say PASS)/g),
  };
}

test.each([3, 10, 20, 58, 59, 60, 102, 103])(
  "of %i rows every place names the same numbers that a PASS takes, and the bots that are equal reach it with them",
  async (rows) => {
    const tandem = await desk(rows, 0);
    const { before, after, out } = await told(tandem);
    expect(numbers(before)).toEqual(rows < 59 ? { first: ["59"], added: ["103"] } : { first: [], added: [] });
    for (const text of after) {
      expect(text).not.toMatch(/takes at least|no further look|too few clusters/i);
      const said = numbers(text);
      expect([[], ["59"]]).toContainEqual(said.first);
      expect([[], ["103"]]).toContainEqual(said.added);
    }
    expect(out).toContain(rows < 59 ? "TOO FEW ROWS" : "PASS test");
    if (rows >= 59) return;
    expect(out).toContain("cannot rule out a loss of 5 points; 103 can");
    expect(out).toMatch(
      new RegExp(
        `Next: add ${103 - rows} rows to [\\w.]+, then compare all of them \\(a second look\\): tandem run -o report.md -o report.json --second-look`,
      ),
    );
    const second = await withRows(tandem, 103).run("run", "--second-look");
    expect(second.out).toContain("PASS  ");
  },
);

test("of a part of a sheet the step asks for as many rows as every place names, and the bots that are equal pass with them", async () => {
  const tandem = await desk(150, 0);
  const { after, out } = await told(tandem, "--sample", "20");
  for (const text of after) expect([[], ["103"]]).toContainEqual(numbers(text).added);
  expect(out).toContain("--sample 103 --second-look");
  const second = await tandem.run("run", "--sample", "103", "--second-look");
  expect(second.out).toContain("PASS  ");
});

test("of two looks that a suite declares the advice says for how many rows they hold, where more are needed", async () => {
  const declared = async (rows: number): Promise<string> => {
    const tandem = await desk(rows, 0);
    tandem.file("tandem.yaml", `${tandem.text("tandem.yaml")}compare: { looks: 2 }\n`);
    return (await told(tandem)).out;
  };
  expect(await declared(20)).toMatch(
    /add 49 rows to [\w.]+ \(the two looks of the suite hold for 60 rows at most\), then compare all of them/,
  );
  expect(await declared(23)).toMatch(/add 46 rows to [\w.]+, then compare all of them/);
});

test.each([3, 10, 20, 58])(
  "of %i rows, the advice for one that changed comes to an end: no step is told twice, and what is pasted decides",
  async (rows) => {
    const tandem = await desk(rows, 1);
    const first = await told(tandem);
    expect(first.out).toContain("TOO FEW ROWS");
    expect(first.out).toContain("Next: ask each row 3 times, to see which changes are chance: tandem run");
    const gate = "`gates: [{ metric: correct, losses: 0 }]` into tandem.yaml";
    for (const text of [first.before, ...first.after]) expect(text).toContain(`put \`repeats: 3\` and ${gate}`);
    const thrice = await told(tandem, "--repeats", "3");
    expect(thrice.out).not.toContain("ask each row 3 times");
    for (const text of thrice.after) expect(text).toContain(`put ${gate}`);
    tandem.file("tandem.yaml", `${tandem.text("tandem.yaml")}repeats: 3\ngates: [{ metric: correct, losses: 0 }]\n`);
    const counted = await tandem.run("run");
    expect(counted.code).toBe(1);
    expect(flat(counted.out)).toContain(
      `REGRESSION (new) 1 of ${rows} rows newly fails in all 3 runs of test on \`correct\`; the limit is 0`,
    );
    expect(counted.out).not.toContain("look at this comparison");
  },
);

test("rows that ask the same count as one wherever rows to add are named", async () => {
  const rows = Array.from({ length: 60 }, (_, row) => `k${row},question ${row % 4}?,yes,yes,yes`);
  const tandem = new Tandem().file("sheet.csv", ["id,question,golden,prod,test", ...rows, ""].join("\n")).file(
    "suite.yaml",
    `dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { prod: { answers: prod, endpoint: video-bots }, test: { answers: test, endpoint: video-bots } }
scorers: [{ name: correct, type: equals }]
gates: [{ metric: correct, margin: 0.05 }]
`,
  );
  const { out } = await tandem.run("run", "suite.yaml", "-o", "report.json");
  const add =
    "add 99 rows that ask something else (103 different questions in all, enough to say PASS if none newly fails)";
  expect(flat(out)).toMatch(/Next: add 99 rows that ask something else to [\w.]+, then compare all of them/);
  const { gates } = JSON.parse(tandem.text("report.json"));
  expect(gates[0].advice).toBe(
    `These 60 rows are 4 different questions: ${add}, and run it again with \`--second-look\`.`,
  );
});
