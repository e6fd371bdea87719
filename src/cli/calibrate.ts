import { defineCommand, jsonFlag, outFlag } from "./command.ts";

export const calibrateCommand = defineCommand({
  command: "calibrate [reference]",
  describe: "Measure how often the gates cry when nothing has changed, and how often they find a drop",
  positionals: {
    reference: {
      type: "string",
      default: "latest",
      describe: "A batch whose baseline ran twice or more, or a suite: its batches are taken together",
    },
  },
  flags: {
    ...jsonFlag,
    ...outFlag,
    target: { type: "string", describe: "Whose runs are replayed (default: the baseline)" },
    drop: {
      type: "number",
      array: true,
      default: [],
      describe: "A true drop to plant, in the unit of the gate; once for each (default: 2 and 3 margins)",
    },
    repetitions: { type: "number", describe: "Imitated comparisons for each drop (default: as many as take seconds)" },
    seed: { type: "string", default: "1", describe: "Of the draws" },
  },
  examples: [
    ["$0 calibrate nightly", "Replay the stored runs of the suite's baseline against themselves"],
    ["$0 calibrate nightly --drop 0.03", "Would a drop of three points be found?"],
  ],
  async run(flags, terminal) {
    const { printCalibration } = await import("./calibrate-text.ts");
    return printCalibration(flags, terminal);
  },
});
