import { string, strings } from "../../flag.ts";
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
    deployment: strings(
      "what",
      "Serve only this deployment (may be given again); otherwise all that it has a key for",
      {
        value: "NAME",
      },
    ),
    address: strings(
      "what",
      "Send to this address and what is below it, with these variables as keys (may be given again; default: TANDEM_ADDRESSES)",
      { value: "URL[=VARIABLE,...]" },
    ),
    name: string("what", "Name by which it is shown and told what to do (default: host and process)"),
    folder: string("what", "Folder for results that wait while the database is away", {
      value: "DIR",
      default: "tandem-worker",
    }),
    ...graceFlag,
    metrics: string("results", "Answer scrapers of Prometheus at http://HOST:PORT/metrics", { value: "HOST:PORT" }),
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
