import { defineCommand } from "../../command.ts";

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
    metrics: {
      group: "results",
      value: "HOST:PORT",
      type: "string",
      describe: "Answer scrapers of Prometheus at http://HOST:PORT/metrics",
    },
  },
  examples: [
    ["$0 worker postgres://tandem@db.example/tandem", "Serve everything that this machine has a key for"],
    ["$0 worker --deployment prod --metrics 127.0.0.1:9464", "Serve one deployment; the database is in TANDEM_WORKERS"],
  ],
  run: async (flags, terminal) => (await import("./worker.run.ts")).runWorker(flags, terminal),
});
