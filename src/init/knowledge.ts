import type { Roles } from "./roles.ts";
import type { Sheet } from "./sheet.ts";

/**
 * The knowledge in the sheet itself, as articles of an embedded bot: one for each pair of question and answer (JSON
 * Lines). Without answers each question is an article, so that the bot has something to say.
 */
export function knowledgeText(sheet: Sheet, { question, answer: hoped, stored }: Roles): string {
  const answer = hoped ?? stored?.answer ?? null;
  return sheet.sample
    .flatMap((row, index) => {
      const title = row[question]?.trim() ?? "";
      const text = (answer === null ? title : row[answer])?.trim() ?? "";
      return title === "" || text === "" ? [] : [`${JSON.stringify({ id: `row-${index + 1}`, title, text })}\n`];
    })
    .join("");
}

/** The bot itself. */
export const botText = `# A bot that stands in for yours, until you write the address of your own into the suite. It answers from knowledge/, which was
# made of the sheet: it is as good as the sheet. \`tandem serve bots\` serves it alone.
knowledge: [knowledge]
fallback: I do not know.
seed: tandem
`;
