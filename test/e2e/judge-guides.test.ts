import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { blocksOf } from "./guide-blocks.ts";
import { flat } from "./labelled-desk.ts";
import { slowTest } from "../often.ts";
import { command, Tandem } from "./tandem.ts";

const howMany = "docs/guides/labels.md";
const datasets = fileURLToPath(new URL("../../datasets", import.meta.url));

/** A reader's folder, with the datasets where the installed package has them. */
function newcomer(): Tandem {
  const tandem = new Tandem();
  const shipped = join(tandem.folder, "node_modules/@tandem-eval/tandem");
  mkdirSync(shipped, { recursive: true });
  cpSync(datasets, join(shipped, "datasets"), { recursive: true });
  return tandem;
}

/** Types commands into a terminal, each block in the folder where the one before it ended. A regression or an alarm is no fault. */
async function typed(folder: string, commands: string): Promise<{ code: unknown; out: string; at: string }> {
  const shell = `set -e
tandem() { "${process.execPath}" "${command}" "$@" || [ $? -eq 1 ]; }
node() { "${process.execPath}" "$@"; }
${commands}
pwd >&3`;
  const child = spawn("bash", ["-c", shell], { cwd: folder, stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const [said, at] = [[] as string[], [] as string[]];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => said.push(part.toString()));
  child.stdio[3]?.on("data", (part: Buffer) => at.push(part.toString()));
  const [code]: unknown[] = await once(child, "close");
  return { code, out: said.join(""), at: at.join("").trim() };
}

/** A batch by any name, as pages show one of another day. */
const anyBatch = (text: string): string => flat(text).replaceAll(/-\d{8}-\d{6}/g, "-DAY");

/** Does all that a page says, and holds what it shows below each block of commands against what they printed. Returns the last folder. */
async function followed(page: string, tandem: Tandem): Promise<{ shown: number; folder: string }> {
  let [folder, out, shown] = [tandem.folder, "", 0];
  for (const block of blocksOf(page)) {
    if (block.language === "sh") {
      const { code, ...ended } = await typed(folder, block.text);
      expect(code, `${page}:${block.line} ${ended.out}`).toBe(0);
      [folder, out] = [ended.at, anyBatch(ended.out)];
    } else if (block.language === "") {
      for (const part of block.text.split(/^\.\.\.$/m).filter((each) => each.trim() !== "")) {
        expect(out, `${page}:${block.line}`).toContain(anyBatch(part).trim());
        shown += 1;
      }
    }
  }
  return { shown, folder };
}

test("the guide to labels shows a judge that calls the worse bot better, and the regression that 60 labels make of it", async () => {
  const { shown } = await followed(howMany, newcomer());
  expect(shown).toBeGreaterThan(6);
  const verdicts = blocksOf(howMany, "").map(({ text }) => /^[A-Z]+/.exec(text)?.[0]);
  expect(verdicts.filter((word) => word !== undefined && word.length > 1)).toEqual(["BETTER", "REGRESSION"]);
});

slowTest("the guide to checks of a judge shows what its commands print", async () => {
  const { shown } = await followed("docs/guides/judge-check.md", newcomer());
  expect(shown).toBeGreaterThan(3);
});

slowTest("the tables of the guide to labels are what its suite comes to, by fewer labels and by more", async () => {
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
