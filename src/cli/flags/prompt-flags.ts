import { type Flags, string, strings } from "../flag.ts";
import { readFileSync } from "node:fs";
import type { TypedPrompt } from "../../app/plan/chat-export.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { AppError } from "../../errors.ts";

/** Flags for the prompt of a sheet whose columns are variables. */
export const promptFlags = {
  prompt: string("dataset", "What is sent, columns in braces: 'Translate {{input}} to {{language}}'", {
    value: "TEXT",
  }),
  "prompt-file": strings(
    "dataset",
    "A file with what is sent, in place of --prompt; several are compared, once for each",
    { value: "FILE", more: true },
  ),
} as const satisfies Flags;

interface GivenPrompt {
  prompt?: string | undefined;
  "prompt-file"?: string | readonly string[] | undefined;
}

/** The prompt that the flags give; null: none, or several, which are compared. Throws USAGE when it cannot be one. */
export function promptOf(given: GivenPrompt): TypedPrompt | null {
  const { prompt } = given;
  const [file, ...others] = [given["prompt-file"] ?? []].flat();
  if (prompt !== undefined && file !== undefined) {
    throw new AppError("USAGE", "--prompt and --prompt-file cannot be used together.", { hint: "Keep one of them." });
  }
  if (file === undefined) return prompt === undefined ? null : checked({ text: prompt, file: null });
  return others.length > 0 ? null : checked({ text: textOf(file), file });
}

/** The files of a prompt each, where the flags name several. */
export function severalPrompts(given: GivenPrompt): readonly string[] {
  const files = [given["prompt-file"] ?? []].flat();
  return files.length > 1 ? files : [];
}

function checked(prompt: TypedPrompt): TypedPrompt {
  const { text, file } = prompt;
  const flag = file === null ? "--prompt" : `--prompt-file ${file}`;
  if (/^---\s*$/m.test(text.trim())) {
    throw new AppError("USAGE", `${flag} has several prompts, with --- between them.`, {
      hint: "Put each into a file of its own, and compare them: --prompt-file a.txt --prompt-file b.txt",
    });
  }
  if (isTemplate(text)) return prompt;
  throw new AppError("USAGE", `${flag} has no place for a column: every row would send the same.`, {
    hint: "Write the name of a column in braces, such as {{input}}.",
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
      .replace(/^\ufeff/, "")
      .replace(/\r?\n$/, "");
  } catch (cause) {
    throw new AppError("USAGE", `--prompt-file ${file} cannot be read.`, { hint: "Check the path.", cause });
  }
}
