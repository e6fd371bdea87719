import { isPromptfooColumn } from "../dataset/import/promptfoo.ts";
import type { Roles } from "./roles.ts";
import type { Sheet } from "./sheet.ts";

/**
 * The knowledge in the sheet itself, as articles of an embedded bot: one for each pair of question and answer (JSON
 * Lines). Without answers each question is an article, so that the bot has something to say.
 */
export function knowledgeText(sheet: Sheet, { question, prompt, answer: hoped, stored }: Roles): string {
  const answer = hoped ?? stored?.answer ?? null;
  return sheet.sample
    .flatMap((row, index) => {
      const title = (prompt === null ? (row[question] ?? "") : variablesOf(row)).trim();
      const text = (answer === null ? title : row[answer])?.trim() ?? "";
      return title === "" || text === "" ? [] : [`${JSON.stringify({ id: `row-${index + 1}`, title, text })}\n`];
    })
    .join("");
}

/** The cells that fill a prompt: what the bot can find again in it. */
function variablesOf(row: Record<string, string>): string {
  const cells = Object.entries(row).filter(([name]) => !isPromptfooColumn(name));
  return cells.map(([, cell]) => cell).join(" ");
}

/** The bot itself. */
export const botText = `# A bot that stands in for yours, until you write the address of your own into the suite. It answers from knowledge/, which was
# made of the sheet: it is as good as the sheet. \`tandem serve bots\` serves it alone.
knowledge: [knowledge]
fallback: I do not know.
seed: tandem
`;
