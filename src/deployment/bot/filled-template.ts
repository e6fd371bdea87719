import * as liquid from "liquidjs";
import { z } from "zod";
import type { JsonObject } from "../../lib/json.ts";
import { templatesOf } from "../../lib/liquid.ts";

/** With the bounds of a suite's templates in time, memory and length; scripts of services have filters of their own. */
const templates = templatesOf(liquid, { strictFilters: false });

/** Fills a template with variables; a name that has no value is empty. */
export type Filled = (variables: JsonObject) => string;

/** Parses a Liquid template once; a faulty one raises an error that says where it breaks. */
export function parseTemplate(text: string): Filled {
  if (!text.includes("{{") && !text.includes("{%")) return () => text;
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
