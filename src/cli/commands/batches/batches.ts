import { count, string, toggle } from "../../flag.ts";
import { defineCommand, jsonFlag, noTexts, resultsFlag } from "../../command.ts";

export const batchesCommand = defineCommand({
  command: "batches [action] [batch..]",
  describe: "List the batches of a results folder, show one or a run's record, or remove some",
  positionals: {
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
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    suite: string("what", "The batches of this suite over time: verdict and scores", { value: "SUITE" }),
    keep: count("what", "For prune: leave the latest so many of each suite"),
    "older-than": string("what", "For prune: remove only what began longer ago, such as 90d", { value: "TIME" }),
    "lose-runs": toggle("what", "For remove and prune: also batches with runs that were submitted and not fetched"),
    yes: toggle("what", "For remove and prune: do not ask"),
  },
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
  async run(flags, terminal) {
    const { action, batch: batches } = flags;
    if (action === "remove" || action === "prune") {
      const { removeBatches } = await import("./remove.run.ts");
      return removeBatches({ ...flags, action, batches }, terminal);
    }
    const { shownBatches } = await import("./batches.run.ts");
    return shownBatches({ ...flags, action, batch: batches[0] });
  },
});
