import { string, toggle } from "../flag.ts";
import { defineCommand, jsonFlag } from "../command.ts";
import type { JsonOutputs } from "../json-outputs.ts";

export const rubricCommand = defineCommand({
  command: "rubric [name]",
  describe: "Show the ready rubrics for judges, and the text of one",
  positionals: {
    name: { type: "string", describe: "The rubric; without one, all are listed" },
  },
  flags: {
    ...jsonFlag,
    language: string("what", "The language of the text: en, es, hi, de, fr or ar", { value: "CODE", default: "en" }),
    wrongs: toggle("what", "Show the cases by which it is tested instead, each with a good answer and wrong ones"),
  },
  examples: [
    ["$0 rubric", "Which there are, and what a row needs for each"],
    ["$0 rubric same-meaning --language es", "The text in Spanish, as a judge is given it"],
    ["$0 rubric tone --wrongs", "The answers that must fail by it"],
  ],
  async run({ name, language, wrongs, json }, terminal) {
    const { findRubrics, listText, planted, rubricLanguage } = await import("../../score/rubrics/shown.ts");
    const spoken = rubricLanguage(language);
    const rubrics = await findRubrics(name);
    if (json) terminal.print(JSON.stringify({ version: 1, rubrics } satisfies JsonOutputs["rubric"], null, 2));
    else if (name === undefined) terminal.print(listText(rubrics));
    else for (const rubric of rubrics) terminal.print(wrongs ? planted(rubric, spoken) : rubric.texts[spoken]);
    return 0;
  },
});
