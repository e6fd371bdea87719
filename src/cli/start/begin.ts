import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import nodeModule from "node:module";
import { join } from "node:path";
import { exitCodes } from "../../errors.ts";
import { endWithStarter, handedOver } from "./end-with-starter.ts";
import { setHeapFlags } from "./heap-flags.ts";
import { isSupportedNode, oldestNode } from "../../lib/node-support.ts";

/**
 * Makes the process ready for the words of the command line, or has the checkout's own Node run them, whose exit code it
 * resolves to then. `main` is the file of the command. Nothing else is loaded before it is known that this Node can: SQLite's
 * binary ends an older one with a segmentation fault.
 */
export async function begin(main: string, given: string[]): Promise<{ words: string[] } | { exit: number }> {
  const { words: args, hidden } = hideAddress(given, process.env);
  const shown = shownWords(args);
  if (hidden || shown.some((word, place) => word !== args[place])) {
    // Reports keep the command line as it stands here.
    process.argv.splice(2, given.length, ...shown);
    // Takes the place of the command line in the system's list of processes.
    process.title = ["tandem", ...shown].join(" ");
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
    setHeapFlags();
    keepCompiled(join(main, ".."));
    return { words: args };
  }
  const { handOver } = await import("./hand-over.ts");
  const code = way.by === "other" ? await handOver(way.node, main, args) : null;
  if (code === null) process.stderr.write(`${way.otherwise}\n`);
  return { exit: code ?? exitCodes.couldNotRun.code };
}

/**
 * Lets Node keep the compiled code beside the code, which makes the next start quicker. There it goes when the code goes, and
 * only who may write the code may write what runs in its place; whoever may not goes without.
 */
function keepCompiled(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
    nodeModule.enableCompileCache(join(folder, "compiled"));
  } catch {
    // A folder that cannot be written.
  }
}

/** The variable that holds the address of the workers' PostgreSQL, which is a secret. */
const variable = "TANDEM_WORKERS";

const isAddress = (word: string): boolean => /^postgres(?:ql)?:\/\//i.test(word);

/**
 * Moves the address of the workers' PostgreSQL from the command line into `TANDEM_WORKERS`: it holds a password, and
 * words of a command line are shown by `ps`, kept in reports ("the same once more") and handed to other programs.
 * `--workers` stays as it is, without its value. Returns what is left, and whether something was hidden.
 */
export function hideAddress(
  words: readonly string[],
  env: Record<string, string | undefined>,
): { words: string[]; hidden: boolean } {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  let hidden = false;
  const left = words.flatMap((word, place) => {
    const [, flag = "", value = word] = /^(--workers)=(.*)$/su.exec(word) ?? [];
    // Whatever stands there: a mistyped one holds a password as well.
    const isValue = flag !== "" || (words[place - 1] === "--workers" && word.includes("://"));
    if (place >= end || !(isValue || isAddress(value))) return [word];
    env[variable] = value;
    hidden = true;
    return flag === "" ? [] : [flag];
  });
  return { words: left, hidden };
}

/** A login in an address, up to its last @. */
const login = /(?<![a-z\d+.-])([a-z][a-z\d+.-]*:\/\/)[^\s/?#]*@/gi;

/** The words of a command line as they may be shown and kept: addresses without logins, webhooks and the queries of collectors. */
function shownWords(words: readonly string[]): string[] {
  return words.map((word, place) => {
    const [, flag = "", value = ""] = /^(--[a-z-]+)=(.*)$/su.exec(word) ?? [];
    const [name, given, before] = flag === "" ? [words[place - 1], word, ""] : [flag, value, `${flag}=`];
    if (name === "--notify" && given.includes("://")) return `${before}(hidden)`;
    const plain = given.replaceAll(login, "$1");
    return before + (name === "--otel" ? plain.replace(/[?#].*$/su, "") : plain);
  });
}

/** The way on from the first moment of the command: with this Node, with another, or not at all; what a person can do about it in one sentence. */
type WayToStart = { by: "this" } | { by: "other"; node: string; otherwise: string } | { by: "none"; otherwise: string };

/** The Node that runs, as a version and a path; the checkout's own Node, null where there is none; and the file of the command. */
interface Circumstances {
  version: string;
  running: string;
  own: string | null;
  main: string;
}

/** Decides who runs the command. A checkout brings a Node of its own, for machines that have an older one. */
export function wayToStart({ version, running, own, main }: Circumstances): WayToStart {
  if (isSupportedNode(version)) return { by: "this" };
  const file = /[^\w./-]/.test(main) ? `"${main}"` : main;
  const otherwise = `tandem needs Node ${oldestNode} or newer and this is ${version}: install a newer one (npm install --save-dev node@24 in your project, with its node_modules/.bin first in PATH), or type: npx -y -p node@24 -- node ${file}`;
  return own !== null && own !== running ? { by: "other", node: own, otherwise } : { by: "none", otherwise };
}
