import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";

export const judgeCommand = defineCommand({
  command: "judge <action> [name]",
  describe: "Watch a judge: freeze answers that it is asked about every night",
  positionals: {
    action: {
      choices: ["anchors"],
      demandOption: true,
      describe: "freeze answers of a batch as anchors, by which `tandem night` sees when the judge has changed",
    },
    name: {
      type: "string",
      describe:
        "The batch whose answers are frozen: its name, SUITE~N or latest (the default); with --list and --remove a suite",
    },
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    metric: { group: "what", value: "NAME", type: "string", describe: "The judge's scorer, if there are several" },
    count: { group: "what", value: "N", type: "number", default: 60, describe: "Answers to freeze, 60 or more" },
    seed: {
      group: "what",
      value: "TEXT",
      type: "string",
      default: "1",
      more: true,
      describe: "Chooses among the answers that are alike",
    },
    unlabelled: {
      group: "what",
      type: "boolean",
      default: false,
      describe: "Also freeze answers that nobody has labelled: flips are found as well, sensitivity is not known",
    },
    list: {
      group: "what",
      type: "boolean",
      default: false,
      describe: "Show the judges that are watched, and freeze nothing",
    },
    remove: { group: "what", type: "boolean", default: false, describe: "Watch a judge of this suite no longer" },
  },
  examples: [
    ["$0 judge anchors", "Freeze 60 answers of the latest batch that people have labelled"],
    [
      "$0 judge anchors help-desk~2 --metric helpful --count 80",
      "80 answers of an earlier batch, for one of several judges",
    ],
    ["$0 judge anchors --list", "Which judges are watched, by what, and how they stand"],
    ["$0 judge anchors help-desk --remove", "Stop; a judge is watched again with `judge anchors`"],
  ],
  async run(flags, terminal) {
    const { runAnchors } = await import("./anchors.run.ts");
    return runAnchors(flags, terminal);
  },
});
