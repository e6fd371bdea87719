import { Liquid } from "liquidjs";
import { z } from "zod";
import type { JsonObject } from "../../lib/json.ts";

/** Variables are read as own members only; no files, no code; bounded in memory and time. */
const engine = new Liquid({
  ownPropertyOnly: true,
  relativeReference: false,
  fs: {
    readFileSync: refuse,
    readFile: refuse,
    existsSync: () => false,
    exists: async () => false,
    resolve: (_root, file) => file,
  },
  memoryLimit: 10_000_000,
  renderLimit: 500,
  parseLimit: 1_000_000,
});

function refuse(): never {
  throw new Error("templates cannot read files");
}

/** Fills a template with variables; a name that has no value is empty. */
export type Filled = (variables: JsonObject) => string;

/** Parses a Liquid template once; a faulty one raises an error that says where it breaks. */
export function parseTemplate(text: string): Filled {
  if (!text.includes("{{") && !text.includes("{%")) return () => text;
  const template = engine.parse(text);
  return (variables) => String(engine.renderSync(template, variables));
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
