import { promptFields } from "../../dataset/cases/prompt.ts";
import { compileTemplate } from "../../dataset/cases/template.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { FieldSource } from "../../suite/suite.ts";
import type { LeftOut } from "./tests.ts";

/** A prompt as the request fields that it fills. */
export type PromptInput = Record<string, FieldSource>;

/**
 * The prompts that can be sent: Liquid over the variables of the tests. Others, such as those that make a chat by a loop
 * or use what only Nunjucks knows, are left out.
 */
export async function usablePrompts(
  prompts: readonly string[],
  variables: readonly string[],
  left: LeftOut,
): Promise<PromptInput[]> {
  const usable: PromptInput[] = [];
  for (const prompt of prompts) {
    const text = plainChat(prompt);
    const fields = Object.entries(promptFields(text)).map(([name, from]): [string, FieldSource] => [
      name,
      typeof from === "string" && !isTemplate(from) ? { value: from } : from,
    ]);
    const fault = isChatTemplate(text) ? "its messages are made by the template" : await faultOf(fields, variables);
    if (fault === null) usable.push(Object.fromEntries(fields));
    else
      left.note(
        `the prompt ${showText(prompt)}`,
        `${fault}; write it with {{variable}} alone, and give it with --prompt-file`,
      );
  }
  return usable;
}

async function faultOf(fields: readonly [string, FieldSource][], variables: readonly string[]): Promise<string | null> {
  for (const [name, from] of fields) {
    if (typeof from !== "string") continue;
    try {
      const { render } = await compileTemplate(from, variables, { file: "the tests", usedFor: name });
      render(Object.fromEntries(variables.map((variable) => [variable, "x"])));
    } catch (error) {
      if (error instanceof AppError) return error.message.replace(/\.$/, "");
      return error instanceof Error ? error.message : String(error);
    }
  }
  return null;
}

/** `{{ x | dump }}` makes a JSON text of a variable: in quotes it is one of ours. */
function plainChat(prompt: string): string {
  if (!/^\s*\[\s*\{/.test(prompt)) return prompt;
  return prompt.replaceAll(/(?<!")\{\{\s*(\w+)\s*\|\s*(?:dump|tojson)\s*\}\}(?!")/g, '"{{$1}}"');
}

/** True for the JSON of a chat that is JSON only when its template is filled. */
function isChatTemplate(text: string): boolean {
  return (
    /^\s*\[\s*(?:\{\s*"role"|\{%)/.test(text) &&
    typeof promptFields(text)["input_prompt"] === "string" &&
    promptFields(text)["input_prompt"] === text
  );
}
