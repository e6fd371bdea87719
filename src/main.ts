#!/usr/bin/env node
import { fileURLToPath } from "node:url";

// Only Node's own modules are loaded before this stands: whatever else cannot be loaded, or is thrown where nobody
// catches it, would end with Node's 1, which says that a gate found a regression. 70 is `crash` of errors.ts.
process.on("uncaughtException", (error) => {
  if ("code" in error && /^(?:EMFILE|ENFILE|ENOSPC|EDQUOT|ENOMEM)$/.test(String(error.code))) {
    process.stderr.write(`error This machine cannot go on: ${error.message}\n`);
    process.exit(3);
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.stderr.write("\nThis is a fault in tandem itself, or in how it is installed.\n");
  process.exit(70);
});

const { begin } = await import("./cli/start/begin.ts");
const begun = await begin(fileURLToPath(import.meta.url), process.argv.slice(2));
process.exitCode = "exit" in begun ? begun.exit : await (await import("./cli/cli.ts")).runCli(begun.words);
