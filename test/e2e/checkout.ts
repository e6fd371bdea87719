import { chmodSync, cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { command, prompts, Tandem } from "./tandem.ts";

/** Reports an older version, then loads the command as Node would. */
const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
await import("./dist/main.js");
`;

/** Takes the place of the checkout's own Node: the Node of this test runs the command of this checkout. */
export const ownNode = `#!/bin/sh
shift
exec "${process.execPath}" "${command}" "$@"
`;

/** A checkout whose command is started by a Node that says it is an older one. */
export function checkout(own: string | null, mode = 0o755): Tandem {
  const tandem = new Tandem().file("old-node.mjs", pretend).file("p.csv", prompts(8));
  const filter = (path: string): boolean => !/\.map$|\/(app|types)$/.test(path);
  cpSync(dirname(command), join(tandem.folder, "dist"), { recursive: true, filter });
  if (own !== null) {
    tandem.file("node_modules/node/bin/node", own);
    chmodSync(join(tandem.folder, "node_modules/node/bin/node"), mode);
  }
  return tandem.as(process.execPath, join(tandem.folder, "old-node.mjs"));
}
