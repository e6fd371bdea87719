import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** The rules that look at colours. */
const colourRules = ["color-contrast", "link-in-text-block"];

/**
 * Faults that would keep people with other senses out of a page: serious and critical findings, as sentences; those of its
 * colours alone where everything else was looked at in others.
 */
export async function seriousFaults(page: Page, { coloursAlone = false } = {}): Promise<string[]> {
  if (await page.evaluate("globalThis.axe === undefined")) await page.evaluate(axe.source);
  const only = coloursAlone ? { runOnly: colourRules } : {};
  const options = JSON.stringify({ resultTypes: ["violations"], ...only });
  const { violations }: AxeResults = await page.evaluate(`axe.run(document, ${options})`);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
