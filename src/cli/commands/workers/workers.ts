import { AppError } from "../../../errors.ts";
import { string, strings } from "../../flag.ts";
import { defineCommand, jsonFlag, noTexts } from "../../command.ts";
import { graceFlag } from "../../flags/run-flags.ts";

export const workersCommand = defineCommand({
  command: "workers [action] [name..]",
  describe: "Send from several machines: serve on each of them, and look after those that do",
  needsKeys: true,
  positionals: {
    action: {
      choices: ["list", "serve", "setup", "pause", "resume", "drain"],
      default: "list",
      describe:
        "list who is there; serve: send what others run with --workers; setup: make the tables; pause, resume or drain workers (the URL goes before or behind)",
    },
    name: {
      type: "string",
      array: true,
      default: noTexts,
      describe: "Workers to pause, resume or drain (default: all); for serve its own name (default: host and process)",
    },
  },
  flags: {
    ...jsonFlag,
    deployment: strings("what", "Only this deployment (may be given again); otherwise all that it has a key for", {
      for: ["serve"],
      value: "NAME",
    }),
    folder: string("what", "A folder of its own for what it sends", {
      for: ["serve"],
      value: "DIR",
      default: "tandem-worker",
    }),
    grace: { ...graceFlag.grace, for: ["serve"] },
  },
  examples: [
    ["$0 workers setup postgres://ada@db.example/tandem", "Make the tables in a database of their own, once"],
    ["$0 workers serve postgres://ada@db.example/tandem", "On each machine; the keys are in its environment"],
    ["$0 workers serve --deployment prod", "Serve only what goes to prod; the database is in TANDEM_WORKERS"],
    ["$0 workers list", "Who is there, what is in flight, what is in doubt"],
    ["$0 workers drain mill-2", "Let a worker finish what it has, and end"],
  ],
  async run(flags, terminal) {
    const { action, deployment, folder, grace, name: names } = flags;
    if (action === "serve") {
      if (deployment.includes("")) throw new AppError("USAGE", "--deployment takes the name of a deployment.");
      if (names.length > 1) throw new AppError("USAGE", "A worker has one name.");
      if (flags.json) throw new AppError("USAGE", "--json is for what ends: `tandem workers list --json`.");
      const { serveWorker } = await import("./serve.run.ts");
      return serveWorker({ deployment, folder, grace, name: names[0] }, terminal);
    }
    return (await import("./workers.run.ts")).runWorkers({ action, names });
  },
});
