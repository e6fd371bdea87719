import { describe, expect, test } from "vitest";
import { biased, compared, filledIn, labelled, ran, refused, suite } from "./labelled-desk.ts";
import { flat } from "./tandem.ts";

describe("a judge that prefers the worse bot", () => {
  test("is corrected by labels of people, and the verdict with it", async () => {
    const tandem = biased();
    await ran(tandem);
    const before = await compared(tandem);
    expect(before.model.verdict).toMatchObject({ state: "pass", word: "better" });
    expect(before.out).toContain("Graded by `helpful`, a judge that was not checked against people.");
    // Nobody is told that nothing has to be done while the judge may be the wrong one.
    expect(flat(before.out)).toMatch(
      /Next: check the judge of `helpful` against people, by 50 rows to label: tandem label draw desk-\S+ --labels 50 -o labels\.csv/,
    );
    await labelled(tandem, 60);
    const { out, model } = await compared(tandem);
    expect(model.verdict.word).toBe("worse");
    expect(model.gates[0]).toMatchObject({ state: "inconclusive", people: { labels: 60, cases: 200, refused: null } });
    expect(model.gates[0]?.difference).toBeLessThan(-0.1);
    expect(model.gates[0]?.people?.judge.difference).toBeGreaterThan(0.2);
    expect(out).toMatch(/\d+ of 60 labelled rows worse by people, \d+ better/);
    expect(out).toMatch(
      /`helpful` by the judge alone: [\d.]+ points better \([\d.]+ % -> [\d.]+ %\)\. By people, on 60 of 200/,
    );
    expect(out).toContain("The labels decide: inconclusive.");
    // Rows that got worse by the judge are not those by which it was decided.
    expect(out).toContain("Next: look at the answers that people call bad");
    expect(out).not.toContain("not checked against people");
    expect(model.gates[0]?.advice).toMatch(
      /^\d+ labelled rows in all would settle it \(`tandem label draw --labels \d+`\)/,
    );
    // The same line in every format.
    const notes = model.findings.facts.flatMap((fact) => (fact.kind === "note" ? fact.texts : []));
    const line = notes.find((each) => each.includes("The labels decide")) ?? "nothing";
    expect(out).toContain(line);
    expect(tandem.text("all.md")).toContain(line.replaceAll(">", "&gt;").replaceAll(/`([^`]+)`/g, "<code>$1</code>"));
    expect(tandem.text("all.xml")).toContain(line.replaceAll(">", "&gt;"));
    // Tables and rows do not mix the two: people's counts where they decide, and the judge's rows by their name.
    expect(tandem.text("all.md")).toMatch(/\| \d+ \| \d+ \| 60 labelled of 200 \|/);
    expect(out).toMatch(/rows those below changed by the judge alone/);
    // The three of the picture: judge, people, and the judge as people correct it.
    const { alone, interval, judge } = model.gates[0]?.people ?? {};
    expect(alone?.difference).toBeLessThan(-0.1);
    expect([judge?.interval, alone?.interval, interval].map((each) => each?.lower)).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    // As many as that do settle it, and no label of before is asked for again.
    const more = await tandem.run("label", "draw", "latest", "--labels", "150", "-o", "more.csv", "--json");
    expect(JSON.parse(more.out)).toMatchObject({ added: 90, drawn: 150 });
    tandem.file("more.csv", filledIn(tandem.text("more.csv")));
    expect(tandem.text("more.csv").trim().split("\n")).toHaveLength(1 + 180);
    await tandem.run("label", "import", "latest", "more.csv", "--author", "ana");
    const settled = await compared(tandem);
    expect(settled.code).toBe(1);
    expect(settled.model.verdict.word).toBe("regression");
  });

  test("decides nothing where the gate asks for labels that are not there, not drawn, or not complete", async () => {
    const tandem = biased(", require: labels");
    await ran(tandem);
    const none = await compared(tandem);
    expect(none.model.verdict).toMatchObject({ state: "inconclusive", word: "cannot-tell" });
    expect(none.out).toContain("and nobody labelled any answer: `tandem label draw` chooses the rows");
    expect((await tandem.run("compare", "latest", "--fail-on", "inconclusive")).code).toBe(4);
    // Labels that somebody chose correct nothing.
    await tandem.run("label", "export", "latest", "--sample", "40", "-o", "chosen.csv");
    tandem.file("chosen.csv", filledIn(tandem.text("chosen.csv")));
    await tandem.run("label", "import", "latest", "chosen.csv");
    expect((await compared(tandem)).out).toContain("its labels (40 rows) are no random draw");
    // A half labelled draw is a choice too.
    const drawn = await tandem.run("label", "draw", "latest", "--labels", "60", "-o", "labels.csv");
    expect(drawn.code, drawn.err).toBe(0);
    const half = await compared(tandem);
    expect(half.model.verdict.word).toBe("cannot-tell");
    expect(half.out).toMatch(
      /the draw is incomplete: \d+ of 60 rows have labels of both answers, and at least 90 % must/,
    );
    tandem.file("labels.csv", filledIn(tandem.text("labels.csv")));
    await tandem.run("label", "import", "latest", "labels.csv");
    expect((await compared(tandem)).model.gates[0]).toMatchObject({ people: { labels: 60, refused: null } });
  });

  test("a draw is blind, stays as it is, and grows", async () => {
    const tandem = biased();
    await ran(tandem);
    const told = await tandem.run("label", "draw", "latest", "--labels", "20", "-o", "few.csv");
    expect(flat(told.out)).toContain("20 rows of 200 drawn at random");
    const [header = "", ...lines] = tandem.text("few.csv").trim().split(/\r?\n/);
    expect(header).toBe("answer_id,batch,question,expected,answer,label,note,author,answer_mark");
    expect(lines).toHaveLength(40);
    expect(lines.some((line) => /\b(old|new)\b/.test(line))).toBe(false);
    const ids = (file: string): Set<string> =>
      new Set(
        tandem
          .text(file)
          .trim()
          .split(/\r?\n/)
          .slice(1)
          .map((line) => line.split(",")[0] ?? ""),
      );
    await tandem.run("label", "draw", "latest", "--labels", "30", "-o", "more.csv");
    expect(ids("more.csv").size).toBe(60);
    expect([...ids("few.csv")].filter((id) => !ids("more.csv").has(id))).toEqual([]);
    expect(await refused(tandem, "--labels", "10")).toContain("30 rows are drawn already, and --labels asks for 10");
    expect(await refused(tandem, "--seed", "2")).toContain("are drawn already, with the seed 1");
    expect(await refused(tandem, "--metric", "halpful")).toContain("helpful");
    tandem.file("strange.csv", "answer_id,label\nabcdef0123,good\n");
    const strange = await tandem.run("label", "import", "latest", "strange.csv");
    expect(flat(strange.err)).toContain(`there is no answer "abcdef0123" in a draw`);
  });

  test("a sheet is of the candidate that it was drawn for, also where another was drawn for later", async () => {
    const text = suite("").replace("  new: { answers: new }", "  new: { answers: new }\n  other: { answers: golden }");
    const tandem = biased().file("suite.yaml", text);
    await ran(tandem);
    const answersIn = (file: string): string => tandem.text(file);
    for (const candidate of ["new", "other"])
      await tandem.run("label", "draw", "latest", "--candidate", candidate, "--labels", "20", "-o", `${candidate}.csv`);
    const drawn = await tandem.run("label", "draw", "latest", "--candidate", "new", "--labels", "25", "-o", "more.csv");
    expect(drawn.code, drawn.err).toBe(0);
    // Nobody but the bot "new" says "never".
    expect(answersIn("new.csv")).toContain("never");
    expect(answersIn("other.csv")).not.toContain("never");
    expect(answersIn("more.csv").startsWith(answersIn("new.csv").trimEnd())).toBe(true);
    await tandem.run("label", "export", "latest", "--draw", "--candidate", "new", "-o", "again.csv");
    expect(answersIn("again.csv")).toBe(answersIn("more.csv"));
    // A spreadsheet takes no mark of an answer for a number.
    for (const line of answersIn("more.csv").split(/\r?\n/).slice(1, -1)) expect(line).toMatch(/^"a[0-9a-f]{10}",/);
    const undrawn = await tandem.run("label", "export", "latest", "--candidate", "new", "-o", "none.csv");
    expect(undrawn).toMatchObject({ code: 2, err: expect.stringContaining("--candidate goes with --draw.") });
    const none = await tandem.run("label", "export", "latest", "--draw", "--candidate", "nobody", "-o", "none.csv");
    expect(none.code).toBe(2);
    expect(flat(none.err)).toContain("of the candidate nobody for people to label");
  });

  test("a draw is by one judge: it is named where there are several, and the same extends it", async () => {
    const scorers = "[{ name: helpful, type: judge, target: grader }, { name: kind, type: judge, target: grader }]";
    const text = suite("").replace(/scorers:.*/, `scorers: ${scorers}`);
    const tandem = biased().file("suite.yaml", text);
    await ran(tandem);
    expect(await refused(tandem, "--labels", "20")).toContain("several judges: say which one the rows are drawn for");
    await tandem.run("label", "draw", "latest", "--metric", "kind", "--labels", "20");
    const more = await tandem.run("label", "draw", "latest", "--labels", "30", "--json");
    expect(JSON.parse(more.out)).toMatchObject({ scorer: "kind", drawn: 30, added: 10 });
    expect(await refused(tandem, "--metric", "helpful", "--labels", "35")).toContain(
      "drawn already, for the judge kind",
    );
  });

  test("is not checked by the cases that it was written with, from the first draw on and in the next", async () => {
    const written = suite("").replace("target: grader }", "target: grader, examples: EXAMPLES }");
    const tandem = biased().file("suite.yaml", written.replace("EXAMPLES", "[k1, k2, k3]"));
    await ran(tandem);
    await labelled(tandem, 60);
    const more = await tandem.run("label", "draw", "latest", "--labels", "160", "-o", "labels.csv", "--json");
    expect(JSON.parse(more.out)).toMatchObject({ cases: 197, examples: 3, drawn: 160 });
    expect(tandem.text("labels.csv")).not.toMatch(/,question [123]\?,/);
    tandem.file("labels.csv", filledIn(tandem.text("labels.csv")));
    await tandem.run("label", "import", "latest", "labels.csv", "--author", "ana");
    const { out, model } = await compared(tandem);
    expect(model.gates[0]?.people).toMatchObject({ cases: 197, labels: 160, examples: 3, refused: null });
    expect(out).toContain("3 rows were used to write the judge (`examples`, or their question stands in its prompt)");
    // Named only now, when they have labels: they count no more, nothing else does otherwise, and nobody is asked again.
    const drawn = tandem.query<{ key: string }>(
      'SELECT key FROM drawn_case JOIN "case" ON "case".id = case_id ORDER BY drawn_case.place LIMIT 10',
    );
    const keys = drawn.map(({ key }) => key);
    tandem.file("suite.yaml", written.replace("EXAMPLES", `[${["k1", "k2", "k3", ...keys].join(", ")}]`));
    const again = await tandem.run("score", "latest", "--suite", "suite.yaml");
    expect(again.code, again.err).toBe(0);
    const later = await compared(tandem);
    expect(later.model.gates[0]?.people).toMatchObject({ cases: 187, labels: 150, examples: 13, refused: null });
    const last = await tandem.run("label", "draw", "latest", "--labels", "170", "--json");
    expect(JSON.parse(last.out)).toMatchObject({ cases: 187, examples: 13, drawn: 170, added: 10 });
    const agreement = await tandem.run("label", "agreement", "latest");
    expect(flat(agreement.out)).toContain("20 labelled answers left out: the judge was written with their cases");
    const wrong = written
      .replace("EXAMPLES", "[k1, k999]")
      .replace("scorers: [", "scorers: [{ type: contains, examples: [k1] }, ");
    const { out: told, err } = await tandem.file("wrong.yaml", wrong).run("check", "--offline", "wrong.yaml");
    expect(flat(`${told} ${err}`)).toContain("scorers[0].examples is for judges, and this scorer asks none");
    const strange = await tandem
      .file("wrong.yaml", written.replace("EXAMPLES", "[k1, k9999]"))
      .run("check", "--offline", "wrong.yaml");
    expect(flat(`${strange.out} ${strange.err}`)).toMatch(/wrong\.yaml:\d+:\d+.*names "k9999", the key of no row/);
  });

  test("that says yes to everything is named where it decides, and labels decide without it", async () => {
    const tandem = biased().file("bots/bots/grader.yaml", "judge: { constant: 1 }\n");
    await ran(tandem);
    const before = await compared(tandem);
    const always =
      "The judge `helpful` passed all 400 answers. One that always says the same tells nothing of a difference";
    expect(before.out).toContain(`${always}: try it with \`tandem judge check helpful\`.`);
    for (const file of ["all.md", "all.xml"]) expect(tandem.text(file)).toContain("passed all 400 answers");
    await labelled(tandem, 60);
    const { out, model } = await compared(tandem);
    expect(out).toContain(`${always}: the labels stand alone.`);
    expect(model.gates[0]).toMatchObject({ people: { labels: 60, lambda: 0, refused: null } });
    expect(model.verdict.word).toBe("regression");
    const agreement = await tandem.run("label", "agreement", "latest");
    expect(flat(agreement.out)).toContain("helpful passes every one of them: it tells nothing of the answers");
  });

  test("is asked for by a gate of a judge's mean alone", async () => {
    const faulty = async (scorers: string, gate: string): Promise<string> => {
      const text = suite("").replace(/scorers:.*\ngates:.*/, `scorers: [${scorers}]\ngates: [${gate}]`);
      const { out, err } = await biased().file("suite.yaml", text).run("check", "--offline", "suite.yaml");
      return flat(`${out} ${err}`);
    };
    const judge = "{ name: helpful, type: judge, target: grader }";
    expect(await faulty("{ name: correct, type: contains }", "{ metric: correct, require: labels }")).toContain(
      `"correct" is no judge: people's labels correct a judge`,
    );
    expect(await faulty(judge, "{ metric: helpful, losses: 0, require: labels }")).toContain("losses asks for no mean");
    expect(await faulty(judge, "{ metric: helpful, require: label }")).toMatch(/suite\.yaml:\d+:\d+/);
  });
});
