import { appendFileSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { printedJson } from "./printed.ts";

/**
 * Writes the outputs of the action's step that ran tandem: `outputs.ts EXIT_CODE`. It is started by the runner's Node as it
 * stands, so it needs nothing but Node.
 */
const { RUNNER_TEMP: temp = "", GITHUB_OUTPUT: file = "", ACTION_RESULTS: results = "results" } = process.env;
const printed = printedJson();
const report = join(temp, "tandem-report.md");
const outputs = {
  "exit-code": process.argv[2] ?? "",
  verdict: printed.verdict,
  batch: printed.batch,
  report: existsSync(report) ? report : "",
  results: resolve(results),
};
for (const [name, value] of Object.entries(outputs)) {
  // A line break would begin an output of its own.
  if (/[\r\n]/.test(value)) throw new Error(`the output ${name} has more than one line`);
  appendFileSync(file, `${name}=${value}\n`);
}
