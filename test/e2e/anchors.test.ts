import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { flat } from "./stored-sides.ts";
import { Tandem } from "./tandem.ts";
import { frozen, isGood, labelled, night, rows, watched } from "./watched-judge.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

interface Stored {
  verdict: { state: string; sentence: string };
  judgeWatch?: {
    state: string;
    sentence: string;
    anchors: number;
    answered: number;
    gone: number;
    notes: string[];
    change: { mean: number; interval: { lower: number; upper: number } | null } | null;
    charts?: { direction: string; threshold: number; nights: { flips: number; statistic: number }[] }[];
    byPeople: { sensitivity: number; specificity: number } | null;
  }[];
}

/** The report of the latest night. */
function reported(tandem: Tandem): Stored {
  const [batch] = tandem.query<{ name: string }>(
    "SELECT name FROM batch WHERE origin IS NULL ORDER BY id DESC LIMIT 1",
  );
  return JSON.parse(tandem.text(`results/${batch?.name}/report.json`)) as Stored;
}

/** Changes the database, as a stranger would. */
function edit(tandem: Tandem, sql: string): void {
  const db = new Database(join(tandem.folder, "results", "tandem.db"));
  db.exec(sql);
  db.close();
}

const asked = (tandem: Tandem, ...args: string[]) => tandem.run("judge", "anchors", ...args);

describe("a judge that is watched by anchors", () => {
  test("is asked about all of them each night; when it changes an alarm comes, and what was graded before cannot be compared until it is graded again", async () => {
    const { tandem, chat, behaviour } = await watched();
    await frozen(tandem);
    expect((await tandem.run("pin", "latest", "--as", "base")).code).toBe(0);
    for (let count = 1; count <= 10; count++) {
      const before = chat.asked.length;
      const { out } = await night(tandem, "--against", "base", "--details");
      // The answers are the same, so that their grades are known; the anchors are asked all the same.
      expect(chat.asked.length - before).toBe(60);
      expect(out).toContain(count < 10 ? `has ${count} of 10 nights of reference` : "has 10 of 10 nights of reference");
    }
    const calm = await night(tandem, "--against", "base", "--details");
    expect([calm.code, calm.out]).toEqual([
      0,
      expect.stringContaining(
        "The judge `helpful` is the same as in its nights of reference: it grades 0 of 30 higher and 0 of 30 lower; its grades of the anchors moved by 0.0 points (95 %: 0.0 to 0.0) since then; 60 questions, cost 0.6.",
      ),
    ]);

    behaviour.lenientTo = 60;
    const changed = await night(tandem, "--against", "base", "--notify-command", "cat > notice.json");
    expect(changed.code).toBe(0);
    expect(changed.out).toContain(
      "THE JUDGE CHANGED: `helpful`: 23 of 30 anchors are graded higher than they used to be",
    );
    const two = tandem.query<{ name: string }>(
      "SELECT name FROM batch WHERE state = 'finished' ORDER BY id DESC LIMIT 2",
    );
    const commands = two.map(({ name }) => `\`tandem score ${name}\``).toReversed();
    expect(changed.out).toContain(`until both sides are graded again: ${commands.join(" and ")}.`);
    expect(tandem.text("notice.json")).toContain("THE JUDGE CHANGED");
    const [judge] = reported(tandem).judgeWatch ?? [];
    expect(judge).toMatchObject({ state: "changed", anchors: 60, answered: 60 });
    expect(judge?.change?.mean).toBeCloseTo(23 / 60, 9);
    const [up, down] = judge?.charts ?? [];
    expect(up?.nights.at(-1)?.statistic).toBeGreaterThan(730);
    expect(down?.nights.at(-1)?.statistic).toBeLessThan(1);
    expect(flat((await tandem.run("history", "desk")).out)).toContain("THE JUDGE CHANGED");

    // Grades of before are not taken over any more: everything is asked anew, and compared with grades of another judge.
    const before = chat.asked.length;
    const next = await night(tandem, "--against", "base", "--details");
    expect(chat.asked.length - before).toBe(2 * rows + 60);
    expect(next.code).toBe(4);
    expect(next.out).toContain("INVALID");
    const [pinned] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id LIMIT 1");
    expect(next.out).toContain(
      `The judge changed: \`helpful\` was found to be another on ${new Date().toISOString().slice(0, 10)}, and one side was graded, as a whole or in part, before that. Nothing is decided until both sides are graded by the same judge: \`tandem score ${pinned?.name}\`. Stored answers are enough, and labels stay valid`,
    );
    expect(next.out).toContain(`Next: grade both sides by the judge of today: tandem score ${pinned?.name}`);
    expect(next.out).not.toContain("not complete");
    expect(next.out).not.toContain("answers are missing");
    expect(next.out).toContain("It changed on");
    const history = JSON.parse((await tandem.run("history", "desk", "--json")).out) as {
      nights: { changes: string[] }[];
    };
    expect(history.nights.map(({ changes }) => changes.includes("the judge helpful")).lastIndexOf(true)).toBe(13);
    expect(history.nights).toHaveLength(14);
    const again = await tandem.run("score", pinned?.name ?? "");
    expect(again.code, again.err).toBe(0);
    const compared = await tandem.run("compare", "latest", "--json");
    expect(JSON.parse(compared.out)).toMatchObject({ comparison: { validity: { state: "valid" } } });
    expect(tandem.query("SELECT count(*) AS labels FROM label")).toEqual([{ labels: 2 * rows }]);
    // Graded again once; nothing is new.
    const known = chat.asked.length;
    await tandem.run("score", pinned?.name ?? "");
    expect(chat.asked).toHaveLength(known);
  });

  test("that says another model or fingerprint, or is asked something else, has changed without any statistics", async () => {
    const { tandem, behaviour } = await watched();
    await frozen(tandem);
    expect((await night(tandem, "--details")).out).toContain("has 1 of 10 nights of reference");
    behaviour.top = { model: "gpt-test-2026-12", system_fingerprint: "fp_new" };
    const other = await night(tandem);
    expect(other.out).toContain(
      "THE JUDGE CHANGED: `helpful`: another model replied: gpt-test-2026-12; before: gpt-test; another fingerprint replied: fp_new; before: fp_test.",
    );
    // It is known anew from that night on.
    expect((await night(tandem, "--details")).out).toContain("has 2 of 10 nights of reference");
    tandem.file(
      "suite.yaml",
      tandem.text("suite.yaml").replace("target: grader }", "target: grader, rubric: Is it polite? }"),
    );
    expect((await night(tandem)).out).toContain("THE JUDGE CHANGED: `helpful`: its settings in the suite are others.");
    tandem.file(
      "suite.yaml",
      tandem.text("suite.yaml").replace("name: helpful", "name: polite").replace("metric: helpful", "metric: polite"),
    );
    expect((await night(tandem)).out).toContain(
      "The anchors of the judge `helpful` were not asked: the suite of this night has no such scorer.",
    );
    const listed = await asked(tandem, "--list", "--json");
    expect(JSON.parse(listed.out)).toMatchObject({
      version: storedVersion,
      judges: [{ suite: "desk", scorer: "helpful", state: "not-asked" }],
    });
  });

  test("that is down at night gave no verdict, which is told and is no flip; an answer that is gone is told too", async () => {
    const { tandem, chat, behaviour } = await watched();
    await frozen(tandem);
    await night(tandem);
    behaviour.isDown = true;
    // All grades of the bots are known, so that the night itself needs no judge.
    const down = await night(tandem, "--no-preflight");
    expect(down.out, down.err).toContain(
      "The judge `helpful` gave a verdict on 0 of 60 anchors this night: too few to say whether it has changed, and none of them counts as a change.",
    );
    expect(down.out).toContain("They are asked again the next night.");
    expect(reported(tandem).judgeWatch).toMatchObject([{ state: "unanswered", answered: 0 }]);
    behaviour.isDown = false;
    const before = chat.asked.length;
    edit(
      tandem,
      "UPDATE run_record SET body = replace(body, 'good answer', 'sly answer') WHERE record IN (SELECT record FROM attempt JOIN anchor USING (job_id) LIMIT 4)",
    );
    const next = await night(tandem, "--details");
    // What was not answered is not carried into this night.
    expect(chat.asked.length - before).toBe(60);
    expect(next.out).toContain("has 2 of 10 nights of reference");
    expect(next.out).toContain("2 frozen answers are gone from the database, or changed in it");
    expect(reported(tandem).judgeWatch).toMatchObject([{ anchors: 58, gone: 2 }]);
  });

  test("keeps its anchors when the batch goes that they were taken from", async () => {
    const { tandem, chat } = await watched();
    await frozen(tandem);
    await night(tandem);
    const pruned = await night(tandem, "--keep", "1");
    expect(pruned.err).toContain("Removed 2 old batches");
    const before = chat.asked.length;
    expect((await night(tandem, "--details")).out).toContain("has 3 of 10 nights of reference");
    expect(chat.asked.length - before).toBe(60);
    expect(flat((await tandem.run("batches")).out)).not.toContain("anchors-of");
    const removed = await asked(tandem, "desk", "--remove");
    expect(removed.out).toContain("desk: the judge `helpful` is not watched any more");
    expect(tandem.query("SELECT (SELECT count(*) FROM anchor) + (SELECT count(*) FROM anchor_night) AS n")).toEqual([
      { n: 0 },
    ]);
    expect((await night(tandem, "--details")).out).not.toContain("nights of reference");
    expect((await asked(tandem, "--list")).out).toContain("No judge is watched.");
  });
});

describe("a judge of the local deployment that is watched", () => {
  slowTest("alarms in the night in which it begins to prefer long answers, and in no night before", async () => {
    const said = (good: boolean, row: number): string =>
      good
        ? `Your request number ${row} is settled today`
        : `I am sorry but I could not find anything about that in our help pages at all ${row}`;
    const lines = Array.from(
      { length: rows },
      (_, row) =>
        `k${row},question ${row}?,${said(true, row)},${said(isGood(row, "old"), row)},${said(isGood(row, "new"), row)}`,
    );
    const tandem = new Tandem()
      .file("sheet.csv", ["id,question,golden,old,new", ...lines, ""].join("\n"))
      .file("bots/bots/grader.yaml", "judge: { pass_score: 0.5 }\n")
      .file(
        "suite.yaml",
        `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "local:./bots" } }
targets: { old: { answers: old }, new: { answers: new } }
judges: { grader: { deployment: here, endpoint: video-bots, example_id: grader } }
scorers: [{ name: helpful, type: judge, target: grader }]
`,
      );
    await frozen(tandem);
    for (let count = 1; count <= 12; count++) expect((await night(tandem)).out).not.toContain("THE JUDGE CHANGED");
    tandem.file("bots/bots/grader.yaml", "judge: { pass_score: 0.5, length_bias: 0.3 }\n");
    const { out } = await night(tandem);
    expect(out).toMatch(/THE JUDGE CHANGED: `helpful`: \d+ of 30 anchors are graded higher than they used to be/);
    expect(reported(tandem).judgeWatch).toMatchObject([{ byPeople: { sensitivity: 1 }, state: "changed" }]);
  });
});

describe("anchors that cannot be frozen", () => {
  async function refusal(tandem: Tandem, ...args: string[]): Promise<string> {
    const { code, err } = await asked(tandem, ...args);
    expect(code, err).toBe(2);
    return flat(err);
  }

  test("say what is missing and what to do", async () => {
    const { tandem } = await watched();
    await tandem.run("run", "suite.yaml");
    expect(await refusal(tandem)).toMatch(
      /desk-\S+ has 0 answers that `helpful` passes and people labelled, and 0 that it fails and people labelled: anchors take 30 or more of each, so that the judge can be seen to change either way\. There are 80 and 80 with those that nobody labelled\. Label more: tandem label draw desk-\S+ --labels N; or freeze them without labels: --unlabelled\./,
    );
    await labelled(tandem, (row, side) => isGood(row, side) || row < 29);
    expect(await refusal(tandem)).toMatch(
      /has 80 answers that `helpful` passes and people labelled, and 29 that it fails/,
    );
    expect(await refusal(tandem, "--unlabelled", "--count", "200")).toMatch(
      /has 80 answers that `helpful` passes, and 80 that it fails: 200 are asked for\. Take a batch with more answers/,
    );
    expect(await refusal(tandem, "--metric", "helpfull")).toContain('has no judge "helpfull". Did you mean "helpful"?');
    expect(await refusal(tandem, "--count", "0.5")).toContain("--count takes a whole number of 60 or more; got 0.5.");
    expect(await refusal(tandem, "--remove")).toContain("--remove needs the name of the suite.");
    expect(await refusal(tandem, "desk", "--remove")).toContain('No judge of "desk" is watched.');
    const made = await asked(tandem, "--unlabelled", "--json");
    expect(JSON.parse(made.out)).toMatchObject({
      frozen: { anchors: 60, pass: 30, fail: 30, nearBorder: 30, measure: "pass" },
    });
    expect(await refusal(tandem, "--unlabelled")).toContain(
      'The judge "helpful" of desk is watched already. `tandem judge anchors --list` shows by what.',
    );
  });

  test("of two judges have to be told apart, and each has its own", async () => {
    const { tandem, chat } = await watched({
      scorers:
        "[{ name: helpful, type: judge, target: grader }, { name: safe, type: judge, target: grader, rubric: Is it safe? }]",
    });
    await tandem.run("run", "suite.yaml");
    expect(await refusal(tandem, "--unlabelled")).toContain(
      "has 2 judges, each with anchors of its own: say which. --metric, one of: helpful, safe.",
    );
    for (const metric of ["helpful", "safe"])
      expect((await asked(tandem, "--unlabelled", "--metric", metric)).code).toBe(0);
    const before = chat.asked.length;
    const { out } = await night(tandem, "--details");
    expect(chat.asked.length - before).toBe(120);
    for (const metric of ["helpful", "safe"]) expect(out).toContain(`The judge \`${metric}\` has 1 of 10 nights`);
    expect(await refusal(tandem, "desk", "--remove")).toContain(
      '2 judges of "desk" are watched: say which. --metric, one of: helpful, safe.',
    );
  });

  test("need a judge of single answers", async () => {
    const { tandem } = await watched({ scorers: "[{ name: helpful, type: contains, value: good }]" });
    await tandem.run("run", "suite.yaml");
    expect(await refusal(tandem)).toMatch(
      /desk-\S+ was graded by no judge: anchors watch a judge that grades single answers\./,
    );
  });
});
