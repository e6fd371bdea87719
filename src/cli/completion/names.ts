import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KnownNames } from "../../store/known-names.ts";

/** Lists of stored names, by the kind of an argument or the word for the value of a flag. */
const lists = new Map<string, (known: KnownNames, typed: string) => string[]>([
  ["BATCH", batchNames],
  ["REF", referenceNames],
  ["SIDE", sideNames],
  ["SUITE", ({ suites }) => suites],
]);

const data = /\.(?:ya?ml|csv|tsv|jsonl|ndjson|parquet)(?:\.gz)?$/i;

/** Ends of the names of files, by kind. */
const fileEndings = new Map([
  ["SUITE.yaml", /\.ya?ml$/i],
  ["DATASET", data],
]);

interface Context {
  /** The folder of results. */
  results: string;
  /** The words of the command before the cursor. */
  words: readonly string[];
}

/** The names of a kind; of files, those in the folder that is typed; none for a kind whose names nobody knows. */
export async function namesOf(kind: string, context: Context, typed: string): Promise<string[]> {
  const ending = fileEndings.get(kind);
  if (ending !== undefined) return filesOf(ending, typed);
  if (kind === "SCORER") {
    const { registry } = await import("../../score/registry.ts");
    return registry.map(({ type }) => type);
  }
  const list = lists.get(kind);
  if (list === undefined && kind !== "TARGET") return [];
  const { knownNames } = await import("../../store/known-names.ts");
  const known = knownNames(join(context.results, "tandem.db"));
  if (list !== undefined) return known === null ? [] : list(known, typed);
  return [...(await suiteTargets(context.words)), ...[...(known?.targets.values() ?? [])].flat()];
}

/** Batches, `latest`, and `SUITE~1` for the one before. */
function batchNames({ batches, suites }: KnownNames): string[] {
  return batches.length === 0 ? [] : ["latest", ...suites, ...suites.map((suite) => `${suite}~1`), ...batches];
}

function referenceNames(known: KnownNames): string[] {
  return [...known.pins, ...batchNames(known)];
}

/** A batch or pin; behind its colon one of its targets. */
function sideNames(known: KnownNames, typed: string): string[] {
  const names = referenceNames(known);
  const owner = names.filter((name) => typed.startsWith(`${name}:`)).toSorted((a, b) => b.length - a.length)[0];
  if (owner === undefined) return names;
  const own = known.targets.get(owner) ?? [...known.targets.values()].flat();
  return own.map((target) => `${owner}:${target}`);
}

/** The targets of the suite that is named before, or of tandem.yaml; none where it cannot be read. */
async function suiteTargets(words: readonly string[]): Promise<string[]> {
  const { suiteFileName } = await import("../../suite/file-name.ts");
  const path = words.find((word) => /\.ya?ml$/i.test(word)) ?? suiteFileName;
  try {
    const { loadSuite } = await import("../../suite/load.ts");
    const { suite } = await loadSuite(path, process.env);
    return suite.targets.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Files with this ending, and folders, which end in a slash. */
function filesOf(ending: RegExp, typed: string): string[] {
  const folder = typed.includes("/") ? typed.slice(0, typed.lastIndexOf("/") + 1) : "";
  try {
    const entries = readdirSync(folder === "" ? "." : dirname(`${folder}x`), { withFileTypes: true });
    const wanted = entries.filter((entry) => !entry.name.startsWith(".") && entry.name !== "node_modules");
    const files = wanted.filter((entry) => !entry.isDirectory() && ending.test(entry.name));
    // Folders that a link leads to are files here: nothing is followed.
    const folders = wanted.filter((entry) => entry.isDirectory());
    return [...files.map(({ name }) => folder + name), ...folders.map(({ name }) => `${folder}${name}/`)];
  } catch {
    return [];
  }
}
