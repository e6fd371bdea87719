import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { biased, compared, ran, suite } from "../e2e/labelled-desk.ts";
import type { Tandem } from "../e2e/tandem.ts";
import type { CaseToLabel, DrawToLabel } from "../../src/viewer/api.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { enter, json, startView } from "./viewing.ts";

vi.setConfig({ testTimeout: 240_000 });

/** A batch whose judge prefers the worse bot, with cases drawn for people, and a viewer over it. */
const drawnDesk = (cases: number, ...flags: string[]) => drawnOf(biased(), cases, ...flags);

/** The same of another suite. */
async function drawnOf(tandem: Tandem, cases: number, ...flags: string[]) {
  await ran(tandem);
  const drawn = await tandem.run("label", "draw", "latest", "--labels", String(cases), ...flags);
  expect(drawn.code, drawn.err).toBe(0);
  return { tandem, url: (await startView(tandem)).url };
}

/** Stored conversations of two turns, in which each side said other words before. */
function conversations(): Tandem {
  const lines = Array.from({ length: 15 }, (_, place) => place).flatMap((place) => [
    `c${place}-1,c${place},1,Where is branch ${place}?,street ${place},In street ${place},Somewhere ${place}`,
    `c${place}-2,c${place},2,And its hours?,nine to five,From nine to five,I cannot say`,
  ]);
  return biased()
    .file("sheet.csv", ["id,conversation,turn,question,golden,old,new", ...lines, ""].join("\n"))
    .file("suite.yaml", suite("").replace("golden }", "golden, cluster: conversation, turn: turn }"));
}

/** The suite with a judge that gives marks on a scale, and a gate by these. */
function marked(min: number, max: number): Tandem {
  const scale = `target: grader, scale: { min: ${min}, max: ${max} } }`;
  return biased().file("suite.yaml", suite(", of: value").replace("target: grader }", scale));
}

describe("the drawn cases, as the viewer's server tells them", () => {
  test("tell nobody whose an answer is; a label of another text is refused, and each person sees only the own words", async () => {
    const { tandem, url } = await drawnDesk(20);
    const { get, send } = await enter(url);
    const list = async (author: string): Promise<DrawToLabel> =>
      json(get(`/api/draw?batch=latest&candidate=new&author=${author}`));
    const { cases, batch } = await list("ana");
    expect(cases).toHaveLength(20);
    const [first] = cases;
    const read = async (author: string): Promise<CaseToLabel> =>
      json(get(`/api/drawn?batch=latest&candidate=new&author=${author}&case=${first?.id}`));
    const found = await read("ana");
    expect(Object.keys(found.answers[0] ?? {}).toSorted()).toEqual(["earlier", "id", "label", "mark", "note", "text"]);
    expect(found).toEqual(await read("ana"));
    const [one, other] = found.answers;
    const given = { batch, candidate: "new", author: "ana", task: first?.id, answer: one?.id, note: null };
    const strange = await send("POST", "/api/drawn", { ...given, label: "good", mark: "0123456789abcdef" });
    expect(strange.status).toBe(400);
    expect(await strange.text()).toContain("another text by now");
    for (const [answer, label] of [
      [one, "good"],
      [other, "bad"],
    ] as const) {
      const kept = await send("POST", "/api/drawn", { ...given, answer: answer?.id, label, mark: answer?.mark });
      expect(await kept.json()).toEqual({ before: null });
    }
    expect((await list("ana")).cases[0]).toEqual({ id: first?.id, isDone: true });
    expect((await list("ben")).cases[0]?.isDone).toBe(false);
    expect((await read("ben")).answers.map(({ label }) => label)).toEqual([null, null]);
    expect(tandem.query("SELECT label, author FROM label ORDER BY label")).toEqual([
      { label: "bad", author: "ana" },
      { label: "good", author: "ana" },
    ]);
    expect(
      (await send("DELETE", "/api/drawn", { batch, candidate: "new", author: "ana", task: first?.id, answer: one?.id }))
        .status,
    ).toBe(200);
    expect((await list("ana")).cases[0]?.isDone).toBe(false);
  });

  test("are a person's own share where several label, and what they did not agree about for a third", async () => {
    const { tandem, url } = await drawnDesk(30, "--labellers", "ana,ben");
    const { get, send } = await enter(url);
    const about = (author: string): string => `batch=latest&candidate=new&author=${author}`;
    const list = async (author: string): Promise<DrawToLabel> => json(get(`/api/draw?${about(author)}`));
    const [ana, ben] = [await list("ana"), await list("ben")];
    expect(ana.cases.length + ben.cases.length).toBe(50);
    expect((await list("cem")).cases).toEqual([]);
    const common = ana.cases.find(({ id }) => ben.cases.some((each) => each.id === id));
    const say = async (author: string, task: string | undefined, label: string): Promise<void> => {
      const { answers } = await json<CaseToLabel>(get(`/api/drawn?${about(author)}&case=${task}`));
      for (const { id, mark } of answers) {
        const given = { batch: ana.batch, candidate: "new", author, task, answer: id, mark, note: null };
        expect((await send("POST", "/api/drawn", { ...given, label })).status).toBe(200);
      }
    };
    await say("ana", common?.id, "good");
    await say("ben", common?.id, "bad");
    const { cases } = await list("cem");
    // By another mark: nobody sees that it is the same case.
    expect(cases).toEqual([{ id: expect.not.stringMatching(common?.id ?? "nothing"), isDone: false }]);
    await say("cem", cases[0]?.id, "bad");
    expect((await list("cem")).cases[0]?.isDone).toBe(true);
    expect(
      tandem.query("SELECT author, sum(adjudicates) AS settles FROM label GROUP BY author ORDER BY author"),
    ).toEqual([
      { author: "ana", settles: 0 },
      { author: "ben", settles: 0 },
      { author: "cem", settles: 2 },
    ]);
  });
});

describe("what the order of drawn cases tells", () => {
  test("is nothing about the judge: those on which it sees a difference stand among the others", async () => {
    const { tandem } = await drawnDesk(40);
    const strata = tandem.query<{ case_id: number; stratum: number }>("SELECT case_id, stratum FROM drawn_case");
    const usual = strata.filter(({ stratum }) => stratum === 0).length;
    expect(usual).toBeGreaterThan(5);
    await tandem.run("label", "export", "latest", "--draw", "-o", "sheet-of-draw.csv");
    const questions = tandem.text("sheet-of-draw.csv").split(/\r?\n/).slice(1, -1);
    const keys = questions.flatMap((line, place) => (place % 2 === 0 ? [`k${/question (\d+)/.exec(line)?.[1]}`] : []));
    const of = new Map(
      tandem
        .query<{ key: string; stratum: number }>(
          'SELECT key, stratum FROM drawn_case JOIN "case" ON "case".id = drawn_case.case_id',
        )
        .map(({ key, stratum }) => [key, stratum]),
    );
    const ordered = keys.map((key) => of.get(key) ?? 0);
    const changes = ordered.filter((stratum, place) => place > 0 && stratum !== ordered[place - 1]).length;
    // By lot some twenty neighbours differ; in blocks as many as there are strata.
    expect(changes).toBeGreaterThan(10);
  });
});

describe.skipIf(chromiumPath === undefined)(`drawn cases in a browser ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test("are labelled by keys, blind, in the order of the draw, and the result goes by them", async () => {
    const { tandem, url } = await drawnDesk(20);
    const { page, complaints } = await openPage(browser);
    await page.goto(`${url}#batch=latest`);
    await page.getByRole("link", { name: "Label the drawn cases" }).click();
    await page.getByText("0 of 20 drawn labelled").waitFor();
    // Nothing says what the judge, or anybody, made of an answer, or whose it is.
    const shown = await page.locator("main").innerText();
    expect(shown).not.toMatch(/\b(old|new|pass|fail|judge|helpful)\b/i);
    await page.getByLabel("By").fill("ana");
    await page.getByLabel("By").press("Enter");
    const status = page.getByRole("status");
    const truth = async (): Promise<"g" | "b"> => {
      const text = (await page.locator('.answers [aria-current="true"] .said').innerText()).trim();
      return text.startsWith("Sure") || text.endsWith("is settled today") ? "g" : "b";
    };
    const word = async (key: string): Promise<void> => {
      const before = await page.locator("main").innerText();
      await page.keyboard.press(key);
      await page.waitForFunction((text) => document.querySelector("main")?.innerText !== text, before);
      await page.locator(".answers").waitFor();
    };
    await page.keyboard.press("n");
    await page.keyboard.type("नोट");
    await page.keyboard.press("Enter");
    await word(await truth());
    await word(await truth());
    await page.getByText("1 of 20 drawn labelled").waitFor();
    await page.keyboard.press("u");
    await page.getByText("Undone.").waitFor();
    await page.getByText("0 of 20 drawn labelled").waitFor();
    for (const [width, scheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      expect(await seriousFaults(page), `${width} ${scheme}`).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    for (let labels = 0; labels < 45 && !(await status.innerText()).includes("All drawn cases"); labels += 1)
      await word(await truth());
    await page.getByText("20 of 20 drawn labelled").waitFor();
    expect(
      tandem.query(
        "SELECT count(*) AS labels, count(DISTINCT author) AS authors, count(note) AS notes, count(answer) AS marks FROM label",
      ),
    ).toEqual([{ labels: 40, authors: 1, notes: 1, marks: 40 }]);
    await page.getByRole("link", { name: "To the result" }).click();
    await page.getByRole("table", { name: /Judge and people/ }).waitFor();
    expect(
      await page
        .getByRole("table", { name: /Judge and people/ })
        .getByRole("img")
        .count(),
    ).toBe(3);
    expect(await seriousFaults(page)).toEqual([]);
    expect((await compared(tandem)).model.gates[0]).toMatchObject({ people: { labels: 20, refused: null } });
    expect(complaints).toEqual([]);
  });

  test("that are turns of conversations show what each side said before, and no name", async () => {
    const { tandem, url } = await drawnOf(conversations(), 20);
    const { page, complaints } = await openPage(browser);
    await page.goto(`${url}#draw=latest&target=new`);
    await page.locator(".answers").waitFor();
    const turn = page.getByText("And its hours?", { exact: true });
    for (let place = 0; place < 20 && (await turn.count()) === 0; place += 1) {
      const before = await page.locator("main").innerText();
      await page.keyboard.press("j");
      await page.waitForFunction((text) => document.querySelector("main")?.innerText !== text, before);
      await page.locator(".answers").waitFor();
    }
    const earlier = page.getByRole("region", { name: "Earlier in this conversation" });
    const said = (await earlier.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim()).toSorted();
    expect(said).toEqual([
      expect.stringMatching(/^Where is branch \d+\? In street \d+$/),
      expect.stringMatching(/^Where is branch \d+\? Somewhere \d+$/),
    ]);
    expect(await page.locator("main").innerText()).not.toMatch(/\b(old|new|pass|fail|judge|helpful)\b/i);
    expect(await seriousFaults(page)).toEqual([]);
    await tandem.run("label", "export", "latest", "--draw", "-o", "turns.csv");
    expect(tandem.text("turns.csv")).toMatch(/^answer_id,batch,earlier,question,/);
    expect(tandem.text("turns.csv")).toMatch(/"> Where is branch \d+\?\nIn street \d+","And its hours\?"/);
    expect(complaints).toEqual([]);
  });

  test.each([
    [1, 5, ["4"], "4"],
    [0, 10, ["1", "0", "Enter"], "10"],
  ])("of a judge with marks from %d to %d take these by keys, and none beyond them", async (min, max, keys, mark) => {
    const { tandem, url } = await drawnOf(marked(min, max), 20);
    const { page, complaints } = await openPage(browser);
    await page.goto(`${url}#draw=latest&target=new`);
    await page.locator(".answers").waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await page.getByText(`Kept: A is ${mark}.`).waitFor();
    // Good and bad are no marks here.
    await page.keyboard.press("g");
    for (const key of ["-", "3", "Enter"]) await page.keyboard.press(key);
    await page.getByText(`-3 is no mark here: ${min} to ${max}.`).waitFor();
    expect(tandem.query("SELECT label FROM label")).toEqual([{ label: mark }]);
    expect(await seriousFaults(page)).toEqual([]);
    const { get, send } = await enter(url);
    const { cases, batch } = await json<DrawToLabel>(get("/api/draw?batch=latest&candidate=new&author="));
    const task = cases[1]?.id;
    const { answers } = await json<CaseToLabel>(get(`/api/drawn?batch=latest&candidate=new&author=&case=${task}`));
    const [answer] = answers;
    const given = { batch, candidate: "new", author: "", task, answer: answer?.id, mark: answer?.mark, note: null };
    for (const label of ["good", "11"])
      expect(await (await send("POST", "/api/drawn", { ...given, label })).text()).toContain("is no label here");
    expect(complaints).toEqual([]);
  });
});
