import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { blocksOf } from "./guide-blocks.ts";
import { command, flat, Tandem } from "./tandem.ts";

/** The guide to labels of people. */
export const howMany = "docs/guides/labels.md";
const datasets = fileURLToPath(new URL("../../datasets", import.meta.url));

/** A reader's folder, with the datasets where the installed package has them. */
export function newcomer(): Tandem {
  const tandem = new Tandem();
  const shipped = join(tandem.folder, "node_modules/@tandem-eval/tandem");
  mkdirSync(shipped, { recursive: true });
  cpSync(datasets, join(shipped, "datasets"), { recursive: true });
  return tandem;
}

/** Types commands into a terminal, each block in the folder where the one before it ended. A regression or an alarm is no fault. */
export async function typed(folder: string, commands: string): Promise<{ code: unknown; out: string; at: string }> {
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
export async function followed(page: string, tandem: Tandem): Promise<{ shown: number; folder: string }> {
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
