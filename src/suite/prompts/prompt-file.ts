import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Fault, type FaultPath, fault } from "../../lib/fault.ts";
import { showText } from "../../lib/show.ts";
import { gridOf } from "../matrix/grid.ts";
import type { Sections } from "../schema/sections.ts";

/** The largest prompt that is read: 1 MiB is far more than any model reads as instructions. */
const mostBytes = 1024 * 1024;

/** A prompt file that a suite names, as it is written there, and the place where it does. */
export interface NamedPrompt {
  file: string;
  path: FaultPath;
}

/** The prompt files that a suite names, each with its place. */
export function namedPrompts({ targets = {}, matrix }: Pick<Sections, "targets" | "matrix">): NamedPrompt[] {
  const own = Object.entries(targets).flatMap(([name, { prompt: file }]) =>
    file === undefined ? [] : [{ file, path: ["targets", name, "prompt"] }],
  );
  const shared = matrix?.prompt === undefined ? [] : [{ file: matrix.prompt, path: ["matrix", "prompt"] }];
  const varied = gridOf(matrix).targets.flatMap(({ values }) => {
    const { value, path } = values.get("prompt") ?? {};
    return typeof value === "string" && path !== undefined ? [{ file: value, path }] : [];
  });
  const all: NamedPrompt[] = [...own, ...shared, ...varied];
  return [...new Map(all.map((prompt) => [JSON.stringify(prompt.path), prompt])).values()];
}

/** Texts of prompt files by their names as written. */
export type PromptTexts = ReadonlyMap<string, string>;

/** Reads prompt files, relative to a folder. A file that cannot be used is a fault at the place that names it. */
export async function readPrompts(
  named: readonly NamedPrompt[],
  folder: string,
): Promise<{ texts: PromptTexts; faults: Fault[] }> {
  const texts = new Map<string, string>();
  const faults: Fault[] = [];
  const read = new Map<string, Awaited<ReturnType<typeof readPrompt>>>();
  for (const { file, path } of named) {
    const found = read.get(file) ?? (await readPrompt(resolve(folder, file)));
    read.set(file, found);
    if ("text" in found) texts.set(file, found.text);
    else faults.push(fault(path, `names ${showText(file)}, which ${found.wrong}`, found.hint));
  }
  return { texts, faults };
}

type Read = { text: string } | { wrong: string; hint: string | null };

/** The text without a byte order mark and the line break at its end. */
async function readPrompt(path: string): Promise<Read> {
  try {
    const { size, ...found } = await stat(path).then((entry) => ({ size: entry.size, isFile: entry.isFile() }));
    if (!found.isFile) return { wrong: "is no file", hint: "Name a text file with the prompt." };
    if (size > mostBytes)
      return { wrong: `has ${size.toLocaleString("en-US")} bytes, and a prompt at most 1 MiB`, hint: null };
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path)).replace(/\r?\n$/, "");
    if (text.trim() === "") return { wrong: "is empty", hint: "Write the prompt into it." };
    if (text.includes("\0")) return { wrong: "is no text: it holds a zero byte", hint: null };
    return { text };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return { wrong: "does not exist", hint: `It was looked for at ${path}.` };
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return { wrong: "is not UTF-8 text", hint: "Save it as UTF-8." };
    return { wrong: `cannot be read: ${code}`, hint: null };
  }
}
