import { readFileSync } from "node:fs";
import type { Flags } from "../command.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { AppError } from "../../errors.ts";

/** Flags for the prompt of a sheet whose columns are variables. */
export const promptFlags = {
  prompt: {
    group: "dataset",
    value: "TEXT",
    type: "string",
    describe: "What is sent, columns in braces: 'Translate {{input}} to {{language}}'",
  },
  "prompt-file": {
    group: "dataset",
    value: "FILE",
    more: true,
    type: "string",
    describe: "A file with what is sent, in place of --prompt",
  },
} as const satisfies Flags;

interface GivenPrompt {
  prompt?: string | undefined;
  "prompt-file"?: string | undefined;
}

/** The prompt that the flags give; null: none. Throws USAGE when it cannot be one. */
export function promptOf({ prompt, "prompt-file": file }: GivenPrompt): string | null {
  if (prompt !== undefined && file !== undefined) {
    throw new AppError("USAGE", "--prompt and --prompt-file cannot be used together.", { hint: "Keep one of them." });
  }
  if (file === undefined) return prompt === undefined ? null : checked(prompt, "--prompt");
  return checked(textOf(file), `--prompt-file ${file}`);
}

function checked(text: string, flag: string): string {
  if (/^---\s*$/m.test(text.trim())) {
    throw new AppError("USAGE", `${flag} has several prompts, with --- between them.`, {
      hint: "Run them one after the other, each from a file of its own.",
    });
  }
  if (isTemplate(text)) return text;
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
