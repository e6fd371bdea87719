import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { biased, compared, ran } from "../e2e/labelled-desk.ts";
import type { CaseToLabel, DrawToLabel } from "../../src/viewer/api.ts";
import { seriousFaults } from "./accessibility.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { enter, json, startView } from "./viewing.ts";

vi.setConfig({ testTimeout: 240_000 });

/** A batch whose judge prefers the worse bot, with cases drawn for people, and a viewer over it. */
async function drawnDesk(cases: number, ...flags: string[]) {
  const tandem = biased();
  await ran(tandem);
  const drawn = await tandem.run("label", "draw", "latest", "--labels", String(cases), ...flags);
  expect(drawn.code, drawn.err).toBe(0);
  return { tandem, url: (await startView(tandem)).url };
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
    expect(Object.keys(found.answers[0] ?? {}).toSorted()).toEqual(["id", "label", "mark", "note", "text"]);
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
});
