import { defineCommand, jsonFlag, outFlag } from "../command.ts";

export const batchesCommand = defineCommand({
  command: "batches [action] [batch]",
  describe: "List the batches of a results folder, or show one",
  positionals: {
    action: { choices: ["list", "show"], default: "list", describe: "list or show" },
    batch: { type: "string", describe: "For show: its name, SUITE~N or latest (the default)" },
  },
  flags: {
    ...jsonFlag,
    ...outFlag,
    suite: { type: "string", describe: "The batches of this suite over time: verdict and scores" },
  },
  examples: [
    ["$0 batches", "All batches, the latest last"],
    ["$0 batches --suite nightly", "How a suite has scored night by night"],
    ["$0 batches show help-desk~1", "The help-desk batch before the latest"],
  ],
  async run(flags, terminal) {
    const { openDatabase } = await import("../../store/database.ts");
    const { databasePath } = await import("../../store/database.ts");
    const { batchListText, batchShowText, suiteHistoryText } = await import("./batches.text.ts");
    const { findBatch, listBatches } = await import("../../store/batches.ts");
    const db = openDatabase(databasePath(flags.out), { mustExist: true });
    try {
      if (flags.action === "list") {
        const batches = listBatches(db, flags.suite);
        const text = flags.suite === undefined ? batchListText : suiteHistoryText;
        terminal.print(text(db, batches, flags.json));
      } else {
        terminal.print(batchShowText(db, findBatch(db, flags.batch ?? "latest"), flags.json));
      }
    } finally {
      db.close();
    }
    return 0;
  },
});
