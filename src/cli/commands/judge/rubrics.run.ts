import { findRubrics, listText, planted, rubricLanguage } from "../../../score/rubrics/shown.ts";
import type { CommandResult } from "../../command-result.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { JudgeFlags } from "./judge.ts";

/** The ready rubrics for judges, or the text of one. */
export async function shownRubrics({ name, language, wrongs }: JudgeFlags): Promise<CommandResult> {
  const spoken = rubricLanguage(language);
  const rubrics = await findRubrics(name);
  const data = { rubrics } satisfies JsonData["judge"];
  if (name === undefined) return { data, text: listText(rubrics) };
  const texts = rubrics.map((rubric) => (wrongs ? planted(rubric, spoken) : rubric.texts[spoken]));
  return { data, text: texts.join("\n") };
}
