import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Faults that would keep people with other senses out of a page: serious and critical findings, as sentences. */
export async function seriousFaults(page: Page): Promise<string[]> {
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axe.source);
  const { violations }: AxeResults = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
