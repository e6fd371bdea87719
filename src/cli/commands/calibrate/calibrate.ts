import { count, toggle, word } from "../../flag.ts";
import { defineCommand } from "../../command.ts";
import { sendFlags } from "../../flags/run-flags.ts";
import { suiteFlags } from "../../flags/suite-flags.ts";

export const calibrateCommand = defineCommand({
  command: "calibrate [reference]",
  describe: "Measure how often the gates give a false alarm, and how often they find a drop",
  needsKeys: true,
  positionals: {
    reference: {
      type: "string",
      default: "latest",
      describe:
        "A batch whose baseline ran twice or more, a pin, or a suite by its name: its batches are taken together; with --run a suite's file",
    },
  },
  flags: {
    ...sendFlags,
    ...suiteFlags,
    target: { ...suiteFlags.target, describe: "Whose runs are replayed (default: the baseline)" },
    drop: word("what", "A true drop to plant, in the unit of the gate; once for each (default: 2 and 3 margins)", {
      type: "number",
      array: true,
      default: [],
    }),
    repetitions: count("what", "Imitated comparisons for each drop (default: as many as take seconds)", { more: true }),
    run: toggle("what", "First run the suite's baseline against itself: as often for each case as both sides together"),
  },
  examples: [
    ["$0 calibrate nightly", "Replay the stored runs of the suite's baseline against themselves"],
    ["$0 calibrate nightly --drop 0.03", "Would a drop of three points be found?"],
    ["$0 calibrate suite.yaml --run --sample 100", "Send the runs for it: the baseline of the suite, against itself"],
  ],
  async run(flags, terminal) {
    const { calibrateOnce } = await import("./calibrate.run.ts");
    return calibrateOnce(flags, terminal);
  },
});
