import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "../../errors.ts";
import { endWithStarter, handedOver } from "./end-with-starter.ts";
import { hideAddress } from "./hide-address.ts";
import { wayToStart } from "./way-to-start.ts";
import { boundYoungGeneration } from "./young-generation.ts";

/**
 * Runs the command line, here or by the checkout's own Node, and resolves to its exit code. `main` is the file of the
 * command. Nothing else is loaded before it is known that this Node can: SQLite's binary ends an older one with a
 * segmentation fault.
 */
export async function begin(main: string, given: string[]): Promise<number> {
  const { words: args, hidden } = hideAddress(given, process.env);
  if (hidden) {
    process.argv.splice(2, given.length, ...args);
    // Takes the place of the command line in the system's list of processes.
    process.title = ["tandem", ...args].join(" ");
  }
  const ownNode = join(main, "../../node_modules/node/bin/node");
  const way = wayToStart({
    version: process.versions.node,
    running: realpathSync(process.execPath),
    own: existsSync(ownNode) ? realpathSync(ownNode) : null,
    main,
  });
  if (way.by === "this") {
    if (process.env[handedOver] !== undefined) endWithStarter();
    // Programs that this command starts were handed over by nobody.
    delete process.env[handedOver];
    // Collect garbage before it has grown to several times the live memory, which is small for a dataset of any size:
    // 60 takes less still, and 2 % more CPU.
    setFlagsFromString("--heap-growing-percent=80");
    boundYoungGeneration();
    const { runCli } = await import("../cli.ts");
    return runCli(args);
  }
  const { handOver } = await import("./hand-over.ts");
  const code = way.by === "other" ? await handOver(way.node, main, args) : null;
  if (code === null) process.stderr.write(`${way.otherwise}\n`);
  return code ?? exitCodes.couldNotRun.code;
}
