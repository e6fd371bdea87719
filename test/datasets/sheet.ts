import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";

/** The folder of the shipped suites. */
export const datasets = join(import.meta.dirname, "../../datasets");

const prompt = z.strictObject({
  id: z.string().min(1),
  question: z.string().min(1),
  golden_answer: z.string().min(1),
  category: z.string().min(1),
  language: z.enum(["en", "hi", "ar", "sw", "es"]),
  kind: z.string().min(1),
});
export type Prompt = z.infer<typeof prompt>;

const turn = prompt.extend({ conversation_id: z.string().min(1), turn: z.coerce.number().int().min(1) });
export type Turn = z.infer<typeof turn>;

/** The rows of a shipped CSV, header to cell. */
export function readSheet(path: string): Record<string, string>[] {
  return z.array(z.record(z.string(), z.string())).parse(parse(readFileSync(join(datasets, path)), { columns: true }));
}

/** The questions of the help desk that stand by themselves. */
export function readPrompts(): Prompt[] {
  return z.array(prompt).parse(readSheet("help-desk/prompts.csv"));
}

/** The turns of the help desk's conversations, in the order of the file. */
export function readTurns(): Turn[] {
  return z.array(turn).parse(readSheet("help-desk/conversations.csv"));
}
