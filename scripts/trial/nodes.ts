import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ends, start } from "./process.ts";

/** Fetches packages from npm into a folder of their own, and gives the path of their `node_modules`. */
export async function fetched(folder: string, packages: readonly string[], mayRun: readonly string[]): Promise<string> {
  const home = mkdtempSync(join(folder, "fetched-"));
  const allowScripts = Object.fromEntries(mayRun.map((name) => [name, true]));
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, allowScripts }));
  const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error", "--prefix", home];
  await ends(start(["npm", "install", ...flags, ...packages], { folder: home }));
  return join(home, "node_modules");
}

/** Fetches a version of Node, and gives its path. */
export async function fetchedNode(folder: string, wanted: string): Promise<string> {
  return join(await fetched(folder, [`node@${wanted}`], ["node"]), "node/bin/node");
}
