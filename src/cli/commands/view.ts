import { count } from "../flag.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../command.ts";
import { untilStopped } from "../signals/signals.ts";
import type { JsonData } from "../json-outputs.ts";

export const viewCommand = defineCommand({
  command: "view",
  describe: "Look at every batch in a browser: rows, charts, live runs, labels",
  positionals: {},
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    port: count("what", "0 takes any free port", { default: 8788 }),
  },
  examples: [
    ["$0 view", "Print the address of a page over results/"],
    ["$0 view --results nightly --port 0", "Another folder, any free port"],
  ],
  async run(flags, terminal) {
    const { startViewer } = await import("../../viewer/server/server.ts");
    const { databasePath } = await import("../../store/database.ts");
    const viewer = await startViewer({ database: databasePath(flags.results), port: flags.port });
    const after = async (): Promise<void> => {
      if (!flags.json)
        terminal.note(
          "Open this address in a browser on this machine. It holds a token: whoever has it may look and label. Ctrl-C stops.",
        );
      await untilStopped(() => viewer.stop());
    };
    return { data: { url: viewer.url } satisfies JsonData["view"], text: viewer.url, after };
  },
});
