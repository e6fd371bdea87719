import { type Flags, count, string, toggle } from "../../flag.ts";
import { defineCommand, type Given, type Positionals, jsonFlag, noTexts, resultsFlag } from "../../command.ts";

const positionals = {
  action: {
    choices: ["list", "show", "remove", "prune"],
    default: "list",
    describe: "list, show, remove those that are named, or prune the old ones",
  },
  batch: {
    type: "string",
    array: true,
    default: noTexts,
    describe: "For show and remove: its name, SUITE~N or latest (the default of show). For show also the id of a run",
  },
} as const satisfies Positionals;

const flags = {
  ...jsonFlag,
  ...resultsFlag,
  suite: string("what", "The batches of this suite over time: verdict and scores", {
    value: "SUITE",
    for: ["list"],
  }),
  keep: count("what", "Leave the latest so many of each suite", { for: ["prune"], least: 0 }),
  "older-than": string("what", "Remove only what began longer ago, such as 90d", { for: ["prune"], value: "TIME" }),
  "lose-runs": toggle("what", "Also batches with runs that were submitted and not fetched", {
    for: ["remove", "prune"],
  }),
  yes: toggle("what", "Do not ask", { for: ["remove", "prune"] }),
} as const satisfies Flags;

export type BatchesFlags = Given<typeof positionals, typeof flags>;

export const batchesCommand = defineCommand({
  command: "batches [action] [batch..]",
  describe: "List the batches of a results folder, show one or a run's record, or remove some",
  positionals,
  flags,
  examples: [
    ["$0 batches", "All batches, the latest last"],
    ["$0 batches --suite nightly", "How a suite has scored night by night"],
    ["$0 batches show help-desk~1", "The help-desk batch before the latest"],
    ["$0 batches show 6f2d81ab", "The record that a service made of the run with this id, in whichever batch"],
    [
      "$0 batches prune --keep 30 --older-than 90d",
      "Remove what is older than 90 days, but the latest 30 of each suite",
    ],
  ],
  async run(given, terminal) {
    if (given.action === "remove" || given.action === "prune") {
      const { removeBatches } = await import("./remove.run.ts");
      return removeBatches(given, terminal);
    }
    const { shownBatches } = await import("./batches.run.ts");
    return shownBatches(given);
  },
});
