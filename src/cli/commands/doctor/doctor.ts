import { suiteHere } from "../../flags/suite-path.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";

export const doctorCommand = defineCommand({
  command: "doctor [suite]",
  describe: "Look at this machine and, for a suite, at its dataset, deployments and keys; no run is made",
  needsKeys: true,
  positionals: {
    suite: { type: "string", describe: "A suite (.yaml); without one, tandem.yaml where the working folder has it" },
  },
  flags: { ...jsonFlag, ...resultsFlag },
  examples: [
    ["$0 doctor", "Node, database, disk, open files"],
    ["$0 doctor suite.yaml", "Before the first run, or when one fails"],
  ],
  async run(flags, terminal) {
    const { printChecks } = await import("./doctor.run.ts");
    return printChecks({ ...flags, suite: flags.suite ?? suiteHere(terminal) ?? undefined }, terminal);
  },
});
