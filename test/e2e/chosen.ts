import { expect } from "vitest";
import { flat } from "./stored-sides.ts";
import type { Tandem } from "./tandem.ts";

/** Runs a suite that chooses; its page of Markdown, and report.json as far as a test asks for it. */
export async function chosen<Report>(tandem: Tandem, ...flags: string[]) {
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
  const report: Report = JSON.parse(tandem.text("all.json"));
  return { code, out: flat(out), markdown: tandem.text("all.md"), report };
}
