import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import { fetched } from "./nodes.ts";

/** A program that installs packages, as people call it. */
export interface Installer {
  name: string;
  /** The package that brings it, with its version. */
  from: string;
  /** Files that a project needs for it. */
  files?: Record<string, string>;
  install: (tarball: string) => readonly string[];
  /** The words before the arguments of the command. */
  call: readonly string[];
  /** Another program of the same package, which calls the command. */
  caller?: string;
}

const npm = {
  install: (path: string) => ["install", "--save-dev", "--no-audit", "--no-fund", path],
  call: ["--no-install", "tandem"],
  caller: "npx",
};

export const installers: readonly Installer[] = [
  { ...npm, name: "npm 10", from: "npm@10" },
  { ...npm, name: "npm 12", from: "npm@12" },
  {
    name: "pnpm",
    from: "pnpm@12",
    install: (path) => ["add", "--save-dev", path],
    call: ["exec", "tandem"],
  },
  {
    name: "yarn 1",
    from: "yarn@1",
    install: (path) => ["add", "--dev", path],
    call: ["run", "--silent", "tandem"],
  },
  {
    name: "yarn 4",
    from: "@yarnpkg/cli-dist@4",
    install: (path) => ["add", "--dev", `${manifest.name}@file:${path}`],
    files: { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n", "yarn.lock": "" },
    call: ["run", "tandem"],
  },
  {
    name: "bun",
    from: "bun@1",
    install: (path) => ["add", "--dev", path],
    call: ["run", "--silent", "tandem"],
  },
];

const packageFile = z.object({ name: z.string(), version: z.string(), bin: z.record(z.string(), z.string()) });

/** An installer on this machine: its version, and the commands that install and that call. */
export interface FetchedInstaller extends Installer {
  version: string;
  installs: readonly string[];
  calls: readonly string[];
}

export async function fetchedInstaller(folder: string, installer: Installer): Promise<FetchedInstaller> {
  const name = installer.from.replace(/(?<=.)@[^@]*$/, "");
  return installerIn(join(await fetched(folder, [installer.from], [name]), name), installer);
}

/** The npm that runs this script. */
export function npmHere(): FetchedInstaller {
  const program = process.env["npm_execpath"];
  if (program === undefined) throw new Error("only `npm run` tells which npm is here");
  return installerIn(join(realpathSync(program), "../.."), { ...npm, name: "npm here", from: "npm" });
}

function installerIn(home: string, installer: Installer): FetchedInstaller {
  const { version, bin } = packageFile.parse(JSON.parse(readFileSync(join(home, "package.json"), "utf8")));
  const command = (wanted: string): readonly string[] => {
    const path = join(home, bin[wanted] ?? "");
    const isScript = /^#!.*\bnode\b/.test(readFileSync(path, "latin1").slice(0, 100));
    return isScript ? ["node", path] : [path];
  };
  const [first = ""] = installer.name.split(" ");
  return { ...installer, version, installs: command(first), calls: command(installer.caller ?? first) };
}
