import { exitCodes } from "../errors.ts";
import { defineCommand, jsonFlag } from "./command.ts";

export const validateCommand = defineCommand({
  command: "validate <suite>",
  describe: "Check a suite and read its whole dataset; every fault is listed at once",
  needsKeys: true,
  positionals: { suite: { type: "string", demandOption: true, describe: "A suite (.yaml)" } },
  flags: {
    ...jsonFlag,
    "skip-invalid": { type: "boolean", default: false, describe: "List and leave out blank cases" },
  },
  examples: [
    ["$0 validate suite.yaml", "Before a commit, or in CI"],
    ["$0 validate suite.yaml --json", "For an editor: file, line, column and message of each fault"],
  ],
  async run(flags, terminal) {
    const { checkSuite } = await import("../pipeline/validity.ts");
    const { datasetLines, warningLines } = await import("./dataset-text.ts");
    const { suite, cases, dataset, faults, messages, warnings } = await checkSuite(flags.suite, {
      env: process.env,
      folder: process.cwd(),
      standardInput: process.stdin,
      skipInvalid: flags["skip-invalid"],
      onSkipped: (message) => terminal.note(`left out: ${message}`),
    });
    const valid = faults.length === 0;
    if (flags.json) terminal.print(JSON.stringify({ version: 1, valid, cases, faults, warnings, dataset }, null, 2));
    else {
      for (const line of dataset === null ? [] : warningLines(dataset)) {
        terminal.note(`${terminal.style("yellow", "warning")} ${line}`);
      }
      for (const { where, message } of warnings)
        terminal.note(`${terminal.style("yellow", "warning")} ${where}: ${message}`);
      terminal.print(
        valid ? `${flags.suite}: valid, ${cases} cases, ${suite?.targets.length ?? 0} targets` : messages.join("\n"),
      );
      if (dataset !== null) terminal.print(datasetLines(dataset).join("\n"));
    }
    return valid ? exitCodes.ok.code : exitCodes.usage.code;
  },
});
