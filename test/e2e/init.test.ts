import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Tandem } from "./tandem.ts";

const sheet = [
  "Nr;Question;Ideal Answer;language: code",
  '1;When are you open?;"From 9 to 17; every day.";en',
  "2;पुस्तकालय कब खुलता है?;रोज़ नौ से पाँच बजे तक।;hi",
  '3;"Where is it?\nI am in Mill Street.";On Mill Square: the red house #7.;en',
  "4;ሰዓቱ ስንት ነው?;ዘጠኝ ሰዓት።;am",
  "5;አድራሻው የት ነው?;ሚል አደባባይ።;am",
  "6;How much is a card?;Nothing. 🙂;en",
].join("\r\n");

describe("tandem init", () => {
  test("writes a suite that validates and runs at once", async () => {
    const tandem = new Tandem().env({}).file("my prompts: 1.csv", `\uFEFF${sheet}`);
    const { code, out, err } = await tandem.run("init", "my prompts: 1.csv", "--yes");
    expect(err).toContain("my prompts: 1.csv: 6 rows (utf-8, separated by semicolons)");
    expect(err).toContain("question     Question");
    expect(code).toBe(0);
    expect(out).toContain("tandem run tandem.yaml");
    const suite = readFileSync(join(tandem.folder, "tandem.yaml"), "utf8");
    expect(suite).not.toContain("gates:");
    // Nothing of the package is around it whose schema an editor could find.
    expect(suite.split("\n")[0]).toContain("# Made by `tandem init`");
    expect(suite).not.toMatch(/[ \t]$/m);
    expect(tandem.has("suite.schema.json")).toBe(false);
    expect(tandem.text(".gitignore")).toBe("/results/\n.env\n");
    expect((await tandem.run("check", "--offline", "tandem.yaml")).code).toBe(0);
    const run = await tandem.run("run", "tandem.yaml");
    expect(run.code).toBe(0);
    expect(run.out + run.err).toContain("is the demo bot that `tandem init` made of the sheet");
    expect(tandem.query("SELECT count(*) AS n, sum(answer = 'answered') AS answered FROM run_records")).toEqual([
      { n: 6, answered: 6 },
    ]);
    const said = tandem.query<{ text: string }>(
      "SELECT output ->> '$.output_text[0]' AS text FROM run_records ORDER BY job_id",
    );
    expect(said.map(({ text }) => text).join("\n")).toContain("रोज़ नौ से पाँच बजे तक।");
  });

  test("never overwrites: what exists is named, exit 2, and nothing else is written", async () => {
    const tandem = new Tandem().file("prompts.csv", sheet).file("night/bots/knowledge/sheet.jsonl", "mine");
    const { code, err } = await tandem.run("init", "--dir", "night");
    expect(code).toBe(2);
    expect(err).toContain("night/bots/knowledge/sheet.jsonl exists already");
    expect(readFileSync(join(tandem.folder, "night/bots/knowledge/sheet.jsonl"), "utf8")).toBe("mine");
    expect(() => readFileSync(join(tandem.folder, "night/tandem.yaml"))).toThrow("ENOENT");
  });

  test("asks the bots of a folder that is given, from another folder, and leaves blank rows out", async () => {
    const tandem = new Tandem()
      .env({})
      .file("night/.gitignore", "mine\n")
      .file("data/prompts.tsv", "question\tnote\nZebras?\ta\n \tb\n")
      .file("own/bots/one.yaml", "fallback: I am one.\n")
      .file("own/bots/two.yaml", "fallback: I am two.\n");
    const { code, out } = await tandem.run("init", "data/prompts.tsv", "--bots", "own", "--dir", "night", "--json");
    expect(code).toBe(0);
    expect(tandem.text("night/.gitignore")).toBe("mine\n");
    expect(JSON.parse(out)).toMatchObject({
      suite: "night/tandem.yaml",
      roles: { question: "question" },
      next: "tandem run night/tandem.yaml --skip-invalid",
    });
    expect((await tandem.run("run", "night/tandem.yaml", "--skip-invalid")).code).toBe(0);
    expect(tandem.query("SELECT target, output ->> '$.output_text[0]' AS text FROM run_records ORDER BY 1")).toEqual([
      { target: "one", text: "I am one." },
      { target: "two", text: "I am two." },
    ]);
  });

  test("says what is wrong: no dataset, no question, no bots, a broken file", async () => {
    const tandem = new Tandem()
      .file("numbers.csv", "a,b\n1,2\n")
      .file("ok.csv", sheet)
      .file("ragged.csv", "a,b\n1,2,3\n");
    const refused = async (...args: string[]): Promise<string> => {
      const { code, err } = await tandem.run("init", ...args);
      expect(code).toBe(2);
      return err;
    };
    const all = await Promise.all([
      refused(),
      refused("numbers.csv"),
      refused("ok.csv", "--bots", "nowhere"),
      refused("ragged.csv"),
      refused("missing.csv"),
    ]);
    expect(all[0]).toContain("Which dataset?");
    expect(all[1]).toContain("no column that could be a question");
    expect(all[2]).toContain("there is no saved bot in nowhere/bots");
    expect(all[3]).toContain("ragged.csv");
    expect(all[4]).toContain("missing.csv");
  });
});
