import { describe, expect, test } from "vitest";
import { flat, Tandem } from "./tandem.ts";

const rows = 150;
const columns: Record<string, (row: number) => boolean> = {
  a: (row) => row % 10 < 8,
  b: (row) => row % 10 < 9,
  c: (row) => row % 10 >= 1 && row % 10 < 9,
  d: (row) => row % 3 > 0,
};

/** Stored answers of four targets, of which d fails in all rows of one kind. */
function asked(more: string, targets: readonly string[] = Object.keys(columns)): Tandem {
  const lines = Array.from({ length: rows }, (_, row) => {
    const answers = Object.values(columns).map((isRight) => (isRight(row) ? `answer ${row}` : `nothing ${row}`));
    return [`question ${row}?`, `answer ${row}`, ["card", "fees", "hours"][row % 3], ...answers].join(",");
  });
  return new Tandem()
    .file("sheet.csv", [["question", "golden", "kind", ...Object.keys(columns)].join(","), ...lines].join("\n"))
    .file(
      "suite.yaml",
      `name: four
dataset: sheet.csv
case: { input: { input_prompt: question }, expected: golden, tags: [kind] }
targets: { ${targets.map((name) => `${name}: { answers: ${name} }`).join(", ")} }
${more}
`,
    );
}

const graded = "scorers: [{ name: correct, type: contains }]";

/** Runs a command, and has what it prints in one line. */
async function said(tandem: Tandem, ...words: string[]): Promise<string> {
  const { out, err } = await tandem.run(...words);
  expect(out, err).not.toBe("");
  return flat(out);
}

describe("one result says one thing", () => {
  test("of many to choose from: whom to take, and no rows that only another one fails", async () => {
    const tandem = asked(`${graded}\ncompare: { choose: best }`);
    const out = await said(tandem, "run", "suite.yaml", "--quiet");
    expect(out).toMatch(/^BEST take b: it is the best of 4 on `correct`/);
    expect(out).toContain("Next: take b Report:");
    expect(out).not.toContain("newly fail");
    // Its places agree with its words.
    const details = await said(tandem, "compare", "latest", "--details");
    expect(details).toMatch(/b yes 90\.0 % \S+ to \S+ 1 .*? a behind 80\.0 % \S+ to \S+ 2 to 4 .*? c behind/);
  });

  test("two of them compared without a gate are worse or better, and no scorer is missed", async () => {
    const tandem = asked(`${graded}\ncompare: { choose: best }`);
    await said(tandem, "run", "suite.yaml", "--quiet");
    const worse = await said(tandem, "compare", "latest:a", "latest:d");
    expect(worse).toMatch(
      /^d is worse than a on `correct`: 40 of 150 rows newly fail, 20 newly pass; no gate decides metric a d change/,
    );
    expect(worse).toContain("Next: look at the rows that got worse: tandem view");
    expect(worse).not.toContain("no scorer");
    const better = await said(tandem, "compare", "latest:a", "latest:b");
    expect(better).toMatch(/^b is better than a on `correct`: 15 of 150 rows newly pass; no gate decides/);
    const open = await said(tandem, "compare", "latest:a", "latest:c");
    expect(open).toMatch(/^c beside a on `correct`: 15 of 150 rows newly fail, 15 newly pass; no gate decides/);
  });

  test("answers that nothing grades are different or the same, never worse or better", async () => {
    const out = await said(asked("", ["a", "d"]), "run", "suite.yaml", "--quiet");
    expect(out).toMatch(/^d answers \d+ of 150 rows differently from a; not graded/);
    expect(out).not.toMatch(/none (?:got|newly)|got (?:worse|better)/);
  });

  test("rows of a place are as many in the line as in the next step", async () => {
    const out = await said(
      asked(`${graded}\ngates: [{ metric: correct, margin: 0.05 }]`),
      "run",
      "suite.yaml",
      "--quiet",
    );
    expect(out).toContain("all 40 rows of kind = card newly fail");
    expect(out).toContain("Next: b may replace a; look at all 40: tandem view");
  });
});
