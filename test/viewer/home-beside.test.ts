import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import { chromiumPath, openBrowser, openPage, withoutBrowser } from "./browser.ts";
import { startView } from "./viewing.ts";

const compared = "compare: { baseline: prod }\ngates: [{ metric: correct, margin: 0.05 }]";

/** Runs a suite of stored answers once, by target whether a row is right. */
async function ran(
  tandem: Tandem,
  name: string,
  targets: Record<string, (row: number) => boolean>,
  { rows, ending = compared }: { rows: number; ending?: string },
) {
  const names = Object.keys(targets);
  const lines = Array.from({ length: rows }, (_, row) => {
    const said = names.map((target) => (targets[target]?.(row) === true ? `answer ${row}` : "no idea"));
    return [`question ${row}?`, `answer ${row}`, ...said].join(",");
  });
  tandem.file(`${name}.csv`, [["question", "expected", ...names].join(","), ...lines, ""].join("\n")).file(
    `${name}.yaml`,
    `name: ${name}
dataset: ${name}.csv
targets: { ${names.map((target) => `${target}: { answers: ${target} }`).join(", ")} }
scorers: [{ name: correct, type: equals }]
${ending}
`,
  );
  expect((await tandem.run("run", `${name}.yaml`)).code).toBe(0);
}

const but = (share: number) => (row: number) => row % share !== 0;

describe.skipIf(chromiumPath === undefined)(`home beside the verdict ${withoutBrowser}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test("names the candidate that is better, or worse within the limit, with its figure, where all of them pass", async () => {
    const tandem = new Tandem();
    const fine = { prod: but(5), gain: () => true, same: but(5) };
    await ran(tandem, "gains", fine, { rows: 200 });
    await ran(tandem, "loses", { prod: () => true, less: but(100), same: () => true }, { rows: 1000 });
    await ran(tandem, "alike", { prod: but(5), same: but(5) }, { rows: 100 });
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await page.getByRole("heading", { level: 1, name: "All 3 suites are quiet" }).waitFor();
    const suite = (name: string): Promise<string | null> =>
      page.locator(".suite-line", { hasText: name }).locator(".verdict-cell").textContent();
    expect(await suite("gains")).toContain("pass gain: 20.0 points better");
    expect(await suite("loses")).toContain("pass less: 1.0 points worse");
    expect(await suite("alike")).not.toMatch(/better|worse/);
    const besides = page.getByRole("group", { name: "Batches" }).locator("tbody .beside-verdict bdi");
    expect(await besides.allTextContents()).toEqual(["less: 1.0 points worse", "gain: 20.0 points better"]);
    await page.goto(`${url.split("#")[0]}#suite=gains`);
    await page.locator(".night-line .beside-verdict", { hasText: "gain: 20.0 points better" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("names the one that is chosen beside BEST, in the list of batches too", async () => {
    const tandem = new Tandem();
    await ran(
      tandem,
      "picks",
      { prod: but(5), winner: () => true, last: but(2) },
      { rows: 200, ending: "compare: { choose: best }" },
    );
    const { url } = await startView(tandem);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    const list = page.getByRole("group", { name: "Batches" }).locator("tbody");
    await expect.poll(() => list.locator("td").allTextContents()).toContain("▲ best winner");
    const line = page.locator(".suite-line", { hasText: "picks" });
    expect(await line.locator("[data-name=correct], [data-name=metric]").first().textContent()).toBe("100 %");
    // The line is about what was chosen, not about the one that lost most.
    expect(await line.locator(".difference").textContent()).toBe("–");
    expect(await line.locator("[data-name='new fails']").textContent()).toBe("–");
    expect(complaints).toEqual([]);
  });
});
