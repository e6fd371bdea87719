import { checkSuite } from "../../../app/plan/check-suite.ts";
import { exitCodes } from "../../../errors.ts";
import type { FormatFlags } from "../../../suite/flags/format-flags.ts";
import { promptOf } from "../../flags/prompt-flags.ts";
import { loadDotEnv, namesInSuite } from "../../dot-env.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { sentLines } from "../../progress/mapping-summary.ts";
import { datasetLines, validText, warningLines } from "./validate.text.ts";
import type { JsonOutputs } from "../../json-outputs.ts";

interface ValidateFlags extends FormatFlags {
  path: string;
  endpoint: string;
  "skip-invalid": boolean;
  prompt?: string | undefined;
  "prompt-file"?: readonly string[] | undefined;
  json: boolean;
}

/** Reads everything that a run would read and prints what is wrong with it. */
export async function validate(flags: ValidateFlags, terminal: Terminal): Promise<CommandResult> {
  loadDotEnv(namesInSuite(flags.path));
  const { suite, cases, dataset, files, faults, messages, warnings } = await checkSuite(flags.path, {
    env: process.env,
    folder: process.cwd(),
    standardInput: process.stdin,
    format: flags,
    endpoint: flags.endpoint,
    prompt: promptOf(flags),
    skipInvalid: flags["skip-invalid"],
    onSkipped: (message) => terminal.note(`left out: ${message}`),
  });
  const valid = faults.length === 0;
  const data = { version: 1, valid, cases, faults, warnings, dataset } satisfies JsonOutputs["validate"];
  if (!flags.json) {
    for (const line of dataset === null ? [] : warningLines(dataset)) {
      terminal.note(`${terminal.style("yellow", "warning")} ${line}`);
    }
    for (const { where, message } of warnings)
      terminal.note(`${terminal.style("yellow", "warning")} ${where}: ${message}`);
  }
  const said = valid ? [validText(flags.path, cases ?? 0, suite?.targets.length ?? null)] : messages;
  const facts = dataset === null ? [] : [...datasetLines(dataset), ...files.flatMap(sentLines)];
  const exit = valid ? exitCodes.ok.code : exitCodes.usage.code;
  return { data, text: [...said, ...facts].join("\n"), exit };
}
