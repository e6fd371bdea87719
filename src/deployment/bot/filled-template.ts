import { z } from "zod";
import type { JsonObject } from "../../lib/json.ts";
import { lenientLiquid } from "../../lib/liquid.ts";

/** Fills a template with variables; a name that has no value is empty. */
export type Filled = (variables: JsonObject) => string;

/** Parses a Liquid template once, which has the bounds of a suite's templates in time, memory and length; a faulty one raises an error that says where it breaks. */
export function parseTemplate(text: string): Filled {
  if (!text.includes("{{") && !text.includes("{%")) return () => text;
  const templates = lenientLiquid();
  const template = templates.parse(text);
  return (variables) => templates.fill(template, variables);
}

/** A saved text that must be a template. */
export const filledTemplate = z.string().superRefine((text, context) => {
  try {
    parseTemplate(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: "custom", message: `must be a Liquid template, but: ${problem}` });
  }
});
