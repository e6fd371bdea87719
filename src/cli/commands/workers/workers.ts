import { string, toggle } from "../../flag.ts";
import { defineCommand, jsonFlag, noTexts } from "../../command.ts";
import { workersFlags } from "../../flags/workers-flags.ts";

export const workersCommand = defineCommand({
  command: "workers [action] [name..]",
  describe: "Show the workers of a PostgreSQL, and tell them what to do",
  needsKeys: true,
  positionals: {
    action: {
      choices: ["list", "pause", "resume", "drain", "resolve", "remove", "prune", "setup"],
      default: "list",
      describe:
        "list who is there; pause, resume or drain workers; resolve or remove batches; prune what is old; set the database up (the URL goes before or behind)",
    },
    name: {
      type: "string",
      array: true,
      default: noTexts,
      describe: "Workers (default: all), or for resolve and remove the names of batches",
    },
  },
  flags: {
    ...jsonFlag,
    namespace: { ...workersFlags.namespace, describe: "The team whose batches are meant" },
    resend: toggle("what", "For resolve: send what is in doubt again; the service may have run it already"),
    fail: toggle("what", "For resolve: end what is in doubt as failed"),
    "lose-results": toggle("what", "For remove: also what no submitter has brought yet", { more: true }),
    "older-than": string(
      "what",
      "For prune: remove batches that began longer ago and are brought, and workers as old, such as 30d",
      { value: "TIME" },
    ),
    yes: toggle("what", "For prune: do not ask"),
  },
  examples: [
    ["$0 workers postgres://ada@db.example/tandem", "Who is there, what is in flight, what is in doubt"],
    ["$0 workers setup", "Make the tables and roles in the database that TANDEM_WORKERS names"],
    ["$0 workers drain mill-2", "Let a worker finish what it has, and end"],
    ["$0 workers prune --older-than 30d", "Remove what is brought and older than 30 days"],
    ["$0 workers resolve nightly-20261120-013000 --resend", "Send again what was in flight when a worker died"],
  ],
  run: async (flags, terminal) => (await import("./workers.run.ts")).runWorkers(flags, terminal),
});
