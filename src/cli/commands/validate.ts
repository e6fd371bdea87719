import { defaultEndpoint, endpointList } from "../../api/endpoint-name.ts";
import { exitCodes } from "../../errors.ts";
import { defineCommand, jsonFlag } from "../command.ts";
import { formatFlags, suitePositional } from "../flags/suite-flags.ts";

export const validateCommand = defineCommand({
  command: "validate <path>",
  describe: "Check a suite and read its whole dataset, or a dataset alone; every fault is listed at once",
  needsKeys: true,
  positionals: suitePositional,
  flags: {
    ...jsonFlag,
    ...formatFlags,
    endpoint: { type: "string", default: defaultEndpoint, describe: `Without a suite: ${endpointList}` },
    "skip-invalid": { type: "boolean", default: false, describe: "List and leave out blank cases" },
  },
  examples: [
    ["$0 validate suite.yaml", "Before a commit, or in CI"],
    ["$0 validate prompts.csv --delimiter ';'", "A sheet alone, before there is a suite"],
    ["$0 validate suite.yaml --json", "For an editor: file, line, column and message of each fault"],
  ],
  async run(flags, terminal) {
    const { checkSuite } = await import("../../app/plan/check-suite.ts");
    const { loadDotEnv, namesInSuite } = await import("../dot-env.ts");
    loadDotEnv(namesInSuite(flags.path));
    const { datasetLines, warningLines } = await import("./validate.text.ts");
    const { suite, cases, dataset, faults, messages, warnings } = await checkSuite(flags.path, {
      env: process.env,
      folder: process.cwd(),
      standardInput: process.stdin,
      format: flags,
      endpoint: flags.endpoint,
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
      terminal.print(valid ? validText(flags.path, cases ?? 0, suite?.targets.length ?? null) : messages.join("\n"));
      if (dataset !== null) terminal.print(datasetLines(dataset).join("\n"));
    }
    return valid ? exitCodes.ok.code : exitCodes.usage.code;
  },
});

function validText(path: string, cases: number, targets: number | null): string {
  const sent = targets === null ? "" : `, ${targets} ${targets === 1 ? "target" : "targets"}`;
  return `${path}: valid, ${cases} ${cases === 1 ? "case" : "cases"}${sent}`;
}
