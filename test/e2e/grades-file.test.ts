import { describe, expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

const rows = 12;
const sheet = ["id,question,old,new", ...Array.from({ length: rows }, (_, i) => `k${i},q ${i},old ${i},new ${i}`)].join(
  "\n",
);
const suite = (scorer: string): string => `name: desk
dataset: a.csv
case: { key: id, input: { input_prompt: question } }
targets: { old: { answers: old, run_id: old }, new: { answers: new, run_id: new } }
scorers: [${scorer}]
gates: [{ metric: humans, losses: 0 }]
`;
const humans = "{ name: humans, type: from-file, file: grades.csv, key: id }";
const grades = (line: (place: number) => string): string =>
  ["id;old;new", ...Array.from({ length: rows }, (_, i) => line(i))].join("\r\n");

describe("grades from a file", () => {
  test("are compared and gated as any other; rows without a grade are not graded, and other grades are another grading", async () => {
    const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", suite(humans));
    // German: semicolons, a decimal comma, Windows' encoding.
    tandem.file(
      "grades.csv",
      Buffer.from(
        `${grades((i) => (i === 11 ? "k11;;" : `k${i};gut`.replace("gut", "good") + `;${i === 3 ? "0,2" : "0,9"}`))}\r\nä;1;1`,
        "latin1",
      ),
    );
    const first = await tandem.run("run", "suite.yaml");
    expect(first.code, first.err).toBe(1);
    expect(first.err).toContain("humans: reads grades.csv\n");
    expect(first.out.replaceAll(/\s+/g, " ")).toContain("1 of 11 rows newly fails");
    expect(tandem.query("SELECT count(*) AS n FROM score WHERE value IS NOT NULL")).toEqual([{ n: 22 }]);
    tandem.file(
      "grades.csv",
      grades((i) => `k${i};1;1`),
    );
    const again = await tandem.run("score", "--suite", "suite.yaml");
    expect([again.code, again.err]).toEqual([0, expect.any(String)]);
    expect((await tandem.run("compare", "latest")).out).toContain("PASS");
    // The file is a part of what the suite grades by: without its name earlier grades stay.
    expect((await tandem.run("score")).out).toContain("nothing has changed since");
  });

  test("that are others than in the run before are told as the change that they are", async () => {
    const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", suite(humans));
    tandem.file(
      "grades.csv",
      grades((i) => `k${i};1;1`),
    );
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    tandem.file(
      "grades.csv",
      grades((i) => (i === 9 ? "" : `k${i};1;${i < 2 ? 0 : 1}`)),
    );
    const { out, code } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(1);
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain("11 of 12 graded; 1 has no grade");
    expect(text).toContain("since the run before this one has another: scorers; no answer tells of a model or version");
  });

  test("by run are of one answer each", async () => {
    const tandem = new Tandem().file("a.csv", sheet);
    tandem.file(
      "suite.yaml",
      suite("{ name: humans, type: from-file, file: runs.csv, run: run, grade: stars, scale: { min: 1, max: 5 } }"),
    );
    const lines = Array.from({ length: rows }, (_, i) => `old ${i},5\nnew ${i},${i < 2 ? 1 : 4}`);
    tandem.file("runs.csv", `run,stars\n${lines.join("\n")}\n`);
    const { out, err } = await tandem.run("run", "suite.yaml");
    expect(out.replaceAll(/\s+/g, " "), err).toContain("2 of 12 rows newly fail");
  });

  test.each([
    ["no file", null, humans, /suite\.yaml:5:\d+: .*there is no file \S+grades\.csv\. Check the path/],
    ["no key", "nr,old,new\n1,1,1\n", humans, /grades\.csv:1:1 has no column "id".*It has: "nr", "old", "new"/],
    [
      "no target",
      "id,alt,neu\nk1,1,1\n",
      humans,
      /grades\.csv:1:1 has no column named like a target \("old", "new"\); it has "alt", "neu"/,
    ],
    [
      "no grade",
      "id,old,new\nk1,1,maybe\n",
      humans,
      /grades\.csv:2:6 has "maybe" in "new", which is no grade\. Write a number from 0 to 1/,
    ],
    ["out of the scale", "id,old,new\nk1,1,7\n", humans, /grades\.csv:2:6 has "7" in "new", which is no grade/],
    [
      "a key twice",
      "id,old,new\nk1,1,1\nk1,0,1\n",
      humans,
      /grades\.csv:3:1 has "k1" a second time; the first is in line 2/,
    ],
    ["a column twice", "id,old,new,new\nk1,1,1,0\n", humans, /grades\.csv:1:1 has the column "new" twice/],
    ["a comma of a grade", "id,old,new\nk1,1,0,5\n", humans, /grades\.csv:2:8 has more cells than the header/],
    ["grades of nobody", "id,old,new\n,1,1\n", humans, /grades\.csv:2:1 has grades and no "id"/],
    ["nothing", "", humans, /grades\.csv is empty/],
    ["an open quote", 'id,old,new\nk1,"1,1\n', humans, /grades\.csv\S* is no CSV/],
    ["no grades at all", "id,old,new\nk1,,\n", humans, /grades\.csv has no grade/],
    [
      "no run column",
      "run,stars\n",
      humans.replace("key: id", "run: id"),
      /grades\.csv:1:1 has no column "id".*Name one with `run`/,
    ],
    ["a workbook", "x", humans.replace("grades.csv", "grades.xlsx"), /"grades\.xlsx" is a workbook\. Save/],
  ])("that are wrong are refused in a sentence with their place: %s", async (_, text, scorer, said) => {
    const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", suite(scorer));
    if (text !== null) tandem.file("grades.csv", text);
    const { code, err, out } = await tandem.run("check", "--offline", "suite.yaml");
    expect([code, (err + out).replaceAll(/\s+/g, " ")]).toEqual([2, expect.stringMatching(said)]);
  });
});
