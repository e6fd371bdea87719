import { expect } from "vitest";
import type { Tandem } from "./tandem.ts";
import { flat } from "./tandem.ts";

/** Runs a suite that chooses; what it prints, its Markdown and its report.json. */
export async function chosen(tandem: Tandem, ...flags: string[]) {
  const { code, out, err } = await tandem.run(
    "run",
    "suite.yaml",
    "--quiet",
    "-o",
    "all.json",
    "-o",
    "all.md",
    ...flags,
  );
  expect([0, 1, 4], err).toContain(code);
  return { code, out: flat(out), markdown: tandem.text("all.md"), json: tandem.text("all.json") };
}
