import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { prompts, Tandem } from "./tandem.ts";

const suite = (): string => `name: here
dataset: prompts.csv
deployments: { mine: { base_url: "local:." } }
targets:
  a: { deployment: mine, endpoint: video-bots, example_id: a }
  b: { deployment: mine, endpoint: video-bots, example_id: b }
scorers: [{ type: length }]
compare: { baseline: a }
`;
const files = {
  a: 'knowledge: [notes]\nseed: 1\nfallback: { en: "I do not know." }\n',
  b: 'knowledge: [notes]\nseed: 1\nfallback: { en: "Nothing is known to me of that." }\n',
};

/** Marks of the bots of each run, the oldest first. */
const marks = (tandem: Tandem): string[] =>
  tandem.query<{ bots: string }>("SELECT bots FROM batch ORDER BY id").map(({ bots }) => bots);

async function ran(tandem: Tandem, ...flags: string[]): Promise<void> {
  const { code, err } = await tandem.run("run", "suite.yaml", "--quiet", ...flags);
  expect([0, 1, 4], err).toContain(code);
}

describe("a bot that is served from the folder of the suite", () => {
  test("is the same in two runs after another, whatever runs and other programs write there", async () => {
    const tandem = new Tandem().file("prompts.csv", prompts(6)).file("suite.yaml", suite());
    tandem
      .file("bots/a.yaml", files.a)
      .file("bots/b.yaml", files.b)
      .file("notes/hours.md", "# Hours\n\nOpen at nine.\n");
    await ran(tandem, "-o", "report.md", "--events", "events.jsonl");
    await ran(tandem, "-o", "report.md", "--events", "events.jsonl");
    tandem.file("node_modules/x/index.js", "1").file(".git/HEAD", "ref").file("more.csv", "a").file(".env", "A=1");
    await ran(tandem, "-o", "out/other.html");
    tandem.file("bots/a.yaml~", "x").file("bots/old/a.yaml", files.b).file("functions/x.test.txt", "x");
    await ran(tandem, "-o", "bots/report.md");
    await ran(tandem);
    const [first, ...others] = marks(tandem);
    expect([others.length, new Set([first, ...others]).size]).toEqual([4, 1]);
  });

  test.each(["results", "bots/out", "functions/out", "deep/er"])(
    "keeps its results in a folder of it: %s",
    async (results) => {
      const tandem = new Tandem().file("prompts.csv", prompts(6)).file("suite.yaml", suite());
      tandem
        .file("bots/a.yaml", files.a)
        .file("bots/b.yaml", files.b)
        .file("notes/hours.md", "# Hours\n\nOpen at nine.\n");
      for (let night = 0; night < 3; night++) await ran(tandem, "--results", results);
      const db = new Database(join(tandem.folder, results, "tandem.db"), { readonly: true });
      expect(db.prepare("SELECT count(*) AS runs, count(DISTINCT bots) AS bots FROM batch").get()).toEqual({
        runs: 3,
        bots: 1,
      });
      db.close();
    },
  );

  test.each<[string, (tandem: Tandem) => void]>([
    ["its file", (tandem) => tandem.file("bots/b.yaml", files.b.replace("seed: 1", "seed: 2"))],
    ["a file that it looks things up in", (tandem) => tandem.file("notes/hours.md", "# Hours\n\nOpen at ten.\n")],
    ["another file of its knowledge", (tandem) => tandem.file("notes/prices.md", "# Prices\n\nFree.\n")],
    ["the settings of the deployment", (tandem) => tandem.file("deployment.yaml", "limits: { requests: 9000 }\n")],
    ["a function", (tandem) => tandem.file("functions/f.js", "(variables) => variables\n")],
  ])("is another one after a change of %s", async (_what, change) => {
    const tandem = new Tandem().file("prompts.csv", prompts(6)).file("suite.yaml", suite());
    tandem
      .file("bots/a.yaml", files.a)
      .file("bots/b.yaml", files.b)
      .file("notes/hours.md", "# Hours\n\nOpen at nine.\n");
    await ran(tandem);
    change(tandem);
    await ran(tandem);
    expect(new Set(marks(tandem)).size).toBe(2);
  });
});
