import type { Integer } from "../lib/integer.ts";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { isMap, isSeq } from "yaml";
import { z } from "zod";
import { shellWord } from "../lib/shell-word.ts";
import { parseYaml } from "./yaml.ts";

/** Files beyond this size, or so many of them, are not looked into: no suite is as large. */
const mostBytes = 1e6;
const mostFiles = 100;

const named = z.looseObject({ name: z.string().min(1) });

/**
 * The path of a stored suite's file as it is typed in this folder: the file in the suite's folder that has its name. Null
 * where there is none any more, or several, and for a suite of flags.
 */
export function suitePathOf(suite: { name: string; folder: string | null }): string | null {
  const [path, another] = suiteFilesNamed(suite);
  if (path === undefined || another !== undefined) return null;
  const fromHere = relative("", path);
  return fromHere.startsWith("..") ? path : fromHere;
}

/** The files in a suite's folder that have its name. */
export function suiteFilesNamed({ name, folder }: Parameters<typeof suitePathOf>[0]): string[] {
  return folder === null ? [] : yamlFiles(folder).filter((path) => nameIn(path) === name);
}

/** A line of a suite file. */
export interface SuiteLine {
  /** Name of the suite file. */
  file: string;
  /** Counted from 1. */
  line: Integer;
}

/** The line of a suite's file at which the scorer of a metric stands; null where the file or the scorer is not found any more. */
export function lineOfScorer(suite: Parameters<typeof suitePathOf>[0], metric: string): SuiteLine | null {
  const file = suitePathOf(suite);
  if (file === null) return null;
  try {
    const { document, lines } = parseYaml(readFileSync(file, "utf8"), file);
    const all: unknown = document.get("scorers");
    const own = isSeq(all)
      ? all.items.find((item) => isMap(item) && (item.get("name") ?? item.get("type")) === metric)
      : undefined;
    return isMap(own) && own.range ? { file, line: lines.linePos(own.range[0]).line } : null;
  } catch {
    return null;
  }
}

/** The file of a suite as it is typed; `SUITE` where it is not known any more. */
export const typedSuite = (suite: Parameters<typeof suitePathOf>[0]): string => {
  const path = suitePathOf(suite);
  return path === null ? "SUITE" : shellWord(path);
};

function yamlFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => /\.ya?ml$/i.test(file))
      .slice(0, mostFiles)
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}

/** The name that a suite file gives, which is that of the file where it gives none; null for what is no suite. */
function nameIn(path: string): string | null {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > mostBytes) return null;
    const { value } = parseYaml(readFileSync(path, "utf8"), path);
    const suite = named.safeParse(value);
    return suite.success ? suite.data.name : basename(path, extname(path));
  } catch {
    return null;
  }
}
