import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

/** The variables that a part of a style sheet sets. */
function variables(css: string): Map<string, string> {
  return new Map(Array.from(css.matchAll(/--([\w-]+): ([^;]+);/g), ([, name = "", value = ""]) => [name, value]));
}

test("the site of the documentation has the colours of the page of reports, light and dark", () => {
  const page = read("src/viewer/app/styles.css");
  const dark = page.indexOf('[data-theme="dark"]');
  const light = variables(page.slice(0, dark));
  const night = variables(page.slice(dark, page.indexOf("\n}", dark)));
  const site = variables(read("scripts/site/browser/site.css"));
  const shared = [...site].filter(([name]) => light.has(name));
  expect(shared.map(([name]) => name)).toEqual(
    expect.arrayContaining(["page", "card", "ink", "quiet", "line", "tint", "link", "sans", "mono"]),
  );
  for (const [name, value] of shared) {
    const [bright, other] = [light.get(name), night.get(name)];
    expect(value, name).toBe(other === undefined ? bright : `light-dark(${bright}, ${other})`);
  }
});
