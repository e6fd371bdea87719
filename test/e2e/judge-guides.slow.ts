import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { followed, howMany, newcomer, typed } from "./followed-guide.ts";
import { flat } from "./tandem.ts";

test("the guide to checks of a judge shows what its commands print", async () => {
  const { shown } = await followed("docs/guides/judges.md", newcomer());
  expect(shown).toBeGreaterThan(3);
});

test("the tables of the guide to labels are what its suite comes to, by fewer labels and by more", async () => {
  const tandem = newcomer();
  const folder = join(tandem.folder, "node_modules/@tandem-eval/tandem/datasets/help-desk");
  const guide = readFileSync(new URL(`../../${howMany}`, import.meta.url), "utf8");
  const losses = Array.from(guide.matchAll(/^\| (\d+) points \| (\D*)(\d+)\D*\|$/gm));
  expect(losses).toHaveLength(4);
  for (const [, points, none = "", figure] of losses) {
    const { out } = await typed(folder, `tandem check judged.yaml --power --drop ${Number(points) / 100}`);
    const isNone = none !== "";
    expect(flat(out)).toContain(isNone ? `it takes about ${figure} rows` : `Labels: ${figure} labelled rows of 165`);
  }
  await typed(folder, "tandem run judged.yaml --quiet");
  const verdicts = Array.from(guide.matchAll(/^\| (\d+) \| ([\d.]+ points worse) \| (.*) \| ([A-Z ]+) \|$/gm));
  expect(verdicts).toHaveLength(5);
  for (const [, labels, difference, range, verdict] of verdicts) {
    const labelled = `tandem label draw latest --labels ${labels} -o labels.csv
node people.mjs labels.csv
tandem label import latest labels.csv`;
    const { code, out } = await typed(folder, `${labelled}\ntandem compare latest`);
    expect(code, out).toBe(0);
    expect(flat(out)).toContain(` ${verdict} `);
    expect(flat(out)).toContain(`${difference} (95 %: ${range}`);
  }
});
