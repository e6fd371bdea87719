import { count, string, toggle } from "../flag.ts";
import { defineCommand, jsonFlag } from "../command.ts";
import type { JsonData } from "../json-outputs.ts";

export const serveCommand = defineCommand({
  command: "serve <directory>",
  describe: "Serve a local deployment: the whole API, on this machine",
  positionals: {
    directory: { type: "string", demandOption: true, describe: "Folder with bots/ and functions/" },
  },
  flags: {
    ...jsonFlag,
    port: count("what", "0 takes any free port", { default: 8787 }),
    host: string("what", "Address to listen on", { value: "ADDRESS", default: "127.0.0.1" }),
    "allow-remote": toggle("what", "Allow an address that is not loopback (needs keys)"),
    journal: toggle("what", "Keep a journal of requests at GET /journal"),
    "log-level": string("what", "debug, info, warn, error or silent", { value: "LEVEL", default: "info" }),
  },
  examples: [["$0 serve bots", "Serve the bot that `tandem init` wrote"]],
  async run(flags) {
    const { untilStopped } = await import("../signals/signals.ts");
    const { describeDeployment, startDeployment } = await import("../../deployment/deployment.ts");
    const { port, host, journal } = flags;
    const running = await startDeployment({
      directory: flags.directory,
      port,
      host,
      journal,
      allowRemote: flags["allow-remote"],
      logLevel: flags["log-level"],
    });
    return {
      data: { baseUrl: running.baseUrl } satisfies JsonData["serve"],
      text: describeDeployment(running).join("\n"),
      after: () => untilStopped(() => running.stop()),
    };
  },
});
