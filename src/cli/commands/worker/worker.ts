import { defineCommand } from "../../command.ts";
import { graceFlag } from "../../flags/run-flags.ts";

export const workerCommand = defineCommand({
  command: "worker [url]",
  describe: "Send a share of what others run with --workers",
  needsKeys: true,
  positionals: {
    url: {
      type: "string",
      describe: "Connection string of PostgreSQL (default: TANDEM_WORKERS, which no list of processes shows)",
    },
  },
  flags: {
    deployment: {
      group: "what",
      value: "NAME",
      type: "string",
      array: true,
      default: [],
      describe: "Serve only this deployment (may be given again); otherwise all that it has a key for",
    },
    address: {
      group: "what",
      value: "URL[=VARIABLE,...]",
      type: "string",
      array: true,
      default: [],
      describe:
        "Send to this address and what is below it, with these variables as keys (may be given again; default: TANDEM_ADDRESSES)",
    },
    name: {
      group: "what",
      type: "string",
      describe: "Name by which it is shown and told what to do (default: host and process)",
    },
    folder: {
      group: "what",
      value: "DIR",
      type: "string",
      default: "tandem-worker",
      describe: "Folder for results that wait while the database is away",
    },
    nights: {
      group: "what",
      value: "DIR",
      type: "string",
      describe: "Also spend scheduled nights (`tandem schedule`): folder of their results, with its .env",
    },
    "allow-env": {
      group: "what",
      value: "NAME",
      type: "string",
      array: true,
      default: [],
      describe:
        "With --nights: lets scheduled suites use this variable, such as the webhook of --notify env:NAME (may be given again; default: none)",
    },
    ...graceFlag,
    metrics: {
      group: "results",
      value: "HOST:PORT",
      type: "string",
      describe: "Answer scrapers of Prometheus at http://HOST:PORT/metrics",
    },
  },
  examples: [
    ["$0 worker postgres://mill@db/tandem --address https://api.example.com", "Serve what suites send to one service"],
    [
      "$0 worker --address https://api.example.com=PROD_KEY --deployment prod",
      "Serve one deployment, with one key; the database is in TANDEM_WORKERS",
    ],
  ],
  run: async (flags, terminal) => (await import("./worker.run.ts")).runWorker(flags, terminal),
});
