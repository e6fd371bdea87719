import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Tandem } from "./tandem.ts";
import { checked, daysPass, night, rows, watched } from "./watched-judge.ts";
import { flat } from "./tandem.ts";

interface Stored {
  judgeWatch?: {
    state: string;
    questions: number;
    answered: number;
    higher: number;
    lower: number;
    of: number;
    cost: number;
    signs: { kind: string }[];
  }[];
}

/** The report of the latest night. */
function reported(tandem: Tandem): Stored {
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id DESC LIMIT 1");
  return JSON.parse(tandem.text(`results/${batch?.name}/report.json`)) as Stored;
}

const kept = 60;

describe("a judge that was checked and decides a gate", () => {
  test("is asked the questions of its check again each week; when it changes an alarm comes once, and what was graded before cannot be compared until it is graded again", async () => {
    const { tandem, chat, behaviour } = await watched();
    await checked(tandem);
    expect((await tandem.run("pin", "latest", "--as", "base")).code).toBe(0);
    const askedIn = async (...args: string[]) => {
      const before = chat.asked.length;
      const result = await night(tandem, "--against", "base", ...args);
      return { ...result, asked: chat.asked.length - before };
    };
    // The second time that the same is asked is a part of knowing it.
    const first = await askedIn("--details");
    expect(first.asked).toBe(kept);
    expect(first.out).toContain(
      "The judge `helpful` was asked the questions of its check again: 0 of 60 grades changed; 60 requests, cost 0.6.",
    );
    // Not twice in a week.
    const next = await askedIn("--details");
    expect([next.asked, next.out.includes("of its check again")]).toEqual([0, false]);
    expect(reported(tandem).judgeWatch).toBeUndefined();
    daysPass(tandem, 7);
    const calm = await askedIn();
    expect([calm.code, calm.asked]).toEqual([0, kept]);
    expect(calm.out).not.toContain("THE JUDGE CHANGED");
    expect(calm.out).not.toContain("of its check again");

    daysPass(tandem, 7);
    behaviour.lenientTo = 60;
    const changed = await askedIn("--notify-command", "cat > notice.json");
    expect(changed.asked).toBe(kept);
    expect(changed.out).toMatch(
      /THE JUDGE CHANGED: `helpful`: (\d+) of 60 grades changed \(\1 higher, 0 lower\)\. Comparisons with what was graded before are invalid/,
    );
    const two = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id DESC LIMIT 2");
    const commands = two.map(({ name }) => `\`tandem score ${name}\``).toReversed();
    expect(changed.out).toContain(`until both sides are graded again: ${commands.join(" and ")}.`);
    expect(tandem.text("notice.json")).toContain("THE JUDGE CHANGED");
    expect(reported(tandem).judgeWatch).toMatchObject([
      { state: "changed", questions: kept, answered: kept, of: kept, lower: 0, cost: 0.6, signs: [{ kind: "grades" }] },
    ]);
    expect(flat((await tandem.run("history", "desk")).out)).toContain("THE JUDGE CHANGED");

    // Grades of before are not taken over any more: everything is asked anew, and compared with grades of another judge.
    const invalid = await askedIn("--details");
    expect([invalid.code, invalid.asked]).toEqual([4, 2 * rows]);
    expect(invalid.out).not.toContain("THE JUDGE CHANGED");
    expect(invalid.out).toContain("INVALID");
    const [pinned] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id LIMIT 1");
    expect(invalid.out).toContain(
      `The judge changed: \`helpful\` was found to be another on ${new Date().toISOString().slice(0, 10)}, and one side was graded, as a whole or in part, before that. Nothing is decided until both sides are graded by the same judge: \`tandem score ${pinned?.name}\`. Stored answers are enough, and labels stay valid`,
    );
    expect(invalid.out).toContain(`Next: grade both sides by the judge of today: tandem score ${pinned?.name}`);
    expect(invalid.out).not.toContain("not complete");
    expect(invalid.out).not.toContain("answers are missing");
    const history = JSON.parse((await tandem.run("history", "desk", "--json")).out) as {
      nights: { changes: string[] }[];
    };
    expect(history.nights.map(({ changes }) => changes.includes("the judge helpful")).lastIndexOf(true)).toBe(5);
    expect(history.nights).toHaveLength(6);
    const again = await tandem.run("score", pinned?.name ?? "");
    expect(again.code, again.err).toBe(0);
    const compared = await tandem.run("compare", "latest", "--json");
    expect(JSON.parse(compared.out)).toMatchObject({ comparison: { validity: { state: "valid" } } });
    // Graded again once; nothing is new.
    const known = chat.asked.length;
    await tandem.run("score", pinned?.name ?? "");
    expect(chat.asked).toHaveLength(known);
    // It is known anew, and the same as it is now.
    daysPass(tandem, 7);
    const after = await askedIn();
    expect([after.asked, after.out.includes("THE JUDGE CHANGED")]).toEqual([kept, false]);
    daysPass(tandem, 7);
    expect((await askedIn()).out).not.toContain("THE JUDGE CHANGED");
    expect(reported(tandem).judgeWatch).toMatchObject([{ state: "same", higher: 0, lower: 0 }]);
  });

  test("that has drifted is found also where it was checked once more since", async () => {
    const { tandem, behaviour } = await watched();
    await checked(tandem);
    for (let week = 0; week < 2; week++) {
      await night(tandem);
      daysPass(tandem, 7);
    }
    behaviour.lenientTo = 60;
    await tandem.run("judge", "check", "helpful", "--probes", "consistency,wrongs");
    expect((await night(tandem)).out).toContain("THE JUDGE CHANGED");
  });

  test("has changed since its check when it is first asked again, and is not called noisy for it", async () => {
    const { tandem, behaviour } = await watched();
    await checked(tandem);
    await tandem.run("pin", "latest", "--as", "base");
    behaviour.lenientTo = 60;
    const { code, out } = await night(tandem, "--against", "base");
    expect(out).toMatch(/THE JUDGE CHANGED: `helpful`: (\d+) of 60 grades changed \(\1 higher, 0 lower\)/);
    // Both sides have grades of before, which are of one judge.
    expect(code).toBe(0);
    tandem.file("sheet.csv", tandem.text("sheet.csv").replaceAll(",good answer", ",bad answer"));
    const next = await night(tandem, "--against", "base");
    expect([next.code, next.out.includes("THE JUDGE CHANGED")]).toEqual([4, false]);
    expect(next.out).toContain("The judge changed: `helpful` was found to be another");
  });

  test("is told from the one before it by its replies also where a batch was removed, whose ids are given out again", async () => {
    const { tandem, behaviour } = await watched();
    await checked(tandem);
    await tandem.run("pin", "latest", "--as", "base");
    const sheet = tandem.text("sheet.csv");
    tandem.file("sheet.csv", sheet.replaceAll(",question ", ",another question "));
    await night(tandem);
    expect((await tandem.run("batches", "remove", "latest", "--yes")).code).toBe(0);
    // A night of the same second would have its name.
    await setTimeout(1_100);
    behaviour.lenientTo = rows;
    behaviour.top = { model: "gpt-test-2026-12" };
    tandem.file("sheet.csv", sheet.replaceAll(",good answer", ",bad answer"));
    const { code, out } = await night(tandem, "--against", "base");
    expect(out).toContain("THE JUDGE CHANGED: `helpful`: another model replied");
    expect([code, out.includes("INVALID")]).toEqual([4, true]);
    const [pinned] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id LIMIT 1");
    for (const name of [pinned?.name ?? "", "latest"]) expect((await tandem.run("score", name)).code).toBe(0);
    const compared = await tandem.run("compare", "latest", "--json");
    expect(JSON.parse(compared.out)).toMatchObject({ comparison: { validity: { state: "valid" } } });
  });

  test("that says another model or fingerprint, or is asked something else, has changed without any statistics", async () => {
    const { tandem, chat, behaviour } = await watched();
    await checked(tandem);
    await night(tandem);
    behaviour.top = { model: "gpt-test-2026-12", system_fingerprint: "fp_new" };
    // Grades that are known are not asked for: nobody replies, and nothing is seen.
    const quiet = chat.asked.length;
    expect((await night(tandem)).out).not.toContain("THE JUDGE CHANGED");
    expect(chat.asked).toHaveLength(quiet);
    tandem.file("sheet.csv", tandem.text("sheet.csv").replace("question 7?", "question seven?"));
    const other = await night(tandem);
    expect(other.out).toContain(
      "THE JUDGE CHANGED: `helpful`: another model replied: gpt-test-2026-12; before: gpt-test; another fingerprint replied: fp_new; before: fp_test.",
    );
    expect((await night(tandem)).out).not.toContain("THE JUDGE CHANGED");
    tandem.file(
      "suite.yaml",
      tandem.text("suite.yaml").replace("target: grader }", "target: grader, rubric: Is it polite? }"),
    );
    expect((await night(tandem)).out).toContain(
      "THE JUDGE CHANGED: `helpful`: it is asked in another way, or somebody else is asked.",
    );
    expect((await night(tandem)).out).not.toContain("THE JUDGE CHANGED");
  });

  test("that is down at night gave no grade, which is told and is no change", async () => {
    const { tandem, chat, behaviour } = await watched();
    await checked(tandem);
    behaviour.isDown = true;
    // All grades of the bots are known, so that the night itself needs no judge.
    const down = await night(tandem, "--no-preflight");
    expect(down.out, down.err).toContain(
      "The judge `helpful` gave a grade to 0 of the 60 questions of its check: too few to say whether it has changed.",
    );
    expect(down.out).toContain("They are asked again the next night.");
    expect(reported(tandem).judgeWatch).toMatchObject([{ state: "unanswered", answered: 0 }]);
    behaviour.isDown = false;
    const before = chat.asked.length;
    await night(tandem);
    // What was not answered is not carried into this night.
    expect(chat.asked.length - before).toBe(kept);
    expect(reported(tandem).judgeWatch).toMatchObject([{ state: "same", answered: kept }]);
  });

  test("keeps within the budget of the night, and is asked anew in the next one", async () => {
    const { tandem, chat } = await watched();
    await checked(tandem);
    const before = chat.asked.length;
    await night(tandem, "--budget", "10");
    expect(chat.asked.length - before).toBe(10);
    expect(reported(tandem).judgeWatch).toMatchObject([{ state: "unanswered", answered: 10, cost: 0.1 }]);
    await night(tandem);
    expect(chat.asked.length - before).toBe(10 + kept);
    const plan = await tandem.run("check", "suite.yaml", "--offline");
    expect(flat(plan.out)).toContain(
      "Once a week tandem night also asks helpful 60 questions of its check (cost 0.6).",
    );
  });

  test("is asked nothing twice when a night is stopped that asks two judges", async () => {
    const scorers =
      "[{ name: helpful, type: judge, target: grader }, { name: polite, type: judge, target: grader, rubric: Is it polite? }]";
    const { tandem, chat } = await watched({ scorers, limits: ", concurrency: 1" });
    tandem.file(
      "suite.yaml",
      tandem.text("suite.yaml").replace("gates: [", "gates: [{ metric: polite, margin: 0.1 }, "),
    );
    await checked(tandem);
    await tandem.run("judge", "check", "polite", "--probes", "consistency,wrongs");
    const before = chat.asked.length;
    const { child, ended } = tandem.start("night", "suite.yaml");
    await expect.poll(() => chat.asked.length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(before + 20);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(143);
    expect(chat.asked.length - before).toBeLessThan(kept);
    const resumed = await tandem.run("night", "suite.yaml");
    expect(resumed.code, resumed.err).toBe(0);
    expect(chat.asked.length - before).toBe(2 * kept);
  });

  test("keeps its questions when the batch of the check goes", async () => {
    const { tandem, chat } = await watched();
    await checked(tandem);
    await night(tandem);
    const pruned = await night(tandem, "--keep", "1");
    expect(pruned.err).toContain("Removed 2 old batches");
    // A night of the same second would have the name of one that went.
    await setTimeout(1_100);
    daysPass(tandem, 7);
    const before = chat.asked.length;
    await night(tandem);
    expect(chat.asked.length - before).toBe(kept);
    expect(reported(tandem).judgeWatch).toMatchObject([{ state: "same", of: kept }]);
  });

  test("is left alone where it decides nothing, or was never checked", async () => {
    const scorers = "[{ name: exact, type: contains, value: good }, { name: helpful, type: judge, target: grader }]";
    const { tandem, chat } = await watched({ scorers });
    tandem.file("suite.yaml", tandem.text("suite.yaml").replace("metric: helpful", "metric: exact"));
    await checked(tandem);
    const before = chat.asked.length;
    await night(tandem);
    expect(chat.asked).toHaveLength(before);
    const other = await watched();
    await other.tandem.run("run", "suite.yaml");
    const known = other.chat.asked.length;
    await night(other.tandem);
    expect(other.chat.asked).toHaveLength(known);
  });
});

test("a suite with anchors is told what serves instead", async () => {
  const { tandem } = await watched();
  tandem.file("suite.yaml", `${tandem.text("suite.yaml")}anchors: { count: 60 }\n`);
  const { code, out, err } = await tandem.run("check", "suite.yaml", "--offline");
  expect(code).toBe(2);
  expect(flat(out + err)).toContain("`tandem judge check NAME` keeps its questions");
});
