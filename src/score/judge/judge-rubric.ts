import { isTemplate } from "../../lib/liquid-name.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { showText } from "../../lib/show.ts";
import { languageCode } from "../../text/language.ts";
import { languageReader, saidLanguage } from "../checks/case-language.ts";
import { loadLiquid, notBlank, templateText } from "../contract/expected.ts";
import type { Answer, OptionFault, Unscored } from "../contract/scorer.ts";
import { type RubricLanguage, rubricLanguages } from "../rubrics/rubric.ts";
import { isRubricName, readyRubric, readyRubrics, rubricNames, rubricTexts } from "../rubrics/rubrics.ts";

/** The text by which a judge is told to judge a case; empty: none. */
export type RubricOf = (answer: Answer) => string | Unscored;

interface RubricOptions {
  rubric?: string | undefined;
  language?: string | undefined;
}

/** The texts of ready rubrics that were loaded, by their names. */
const loaded = new Map<string, Readonly<Record<RubricLanguage, string>>>();

/** Loads what a rubric needs; call it before `rubricReader`. */
export async function prepareRubric({ rubric }: RubricOptions): Promise<void> {
  await loadLiquid();
  if (rubric !== undefined && isRubricName(rubric) && !loaded.has(rubric))
    loaded.set(rubric, await rubricTexts(rubric));
}

/** The rubric as a text: a ready one in the language of the case, a template filled by it, or the text that was written. */
export function rubricReader({ rubric, language }: RubricOptions): RubricOf {
  if (rubric === undefined) return () => "";
  if (!isRubricName(rubric)) {
    const fill = templateText(rubric);
    return (answer) => notBlank(fill(answer));
  }
  const texts = loaded.get(rubric);
  if (texts === undefined) throw new TypeError(`The rubric ${rubric} is not loaded.`);
  const languageOf = caseLanguage(language);
  return (answer) => texts[languageOf(answer)];
}

/** The language of a case among those of the rubrics: that of the scorer, else its tag or column `language`, else English. */
function caseLanguage(language: string | undefined): (answer: Answer) => RubricLanguage {
  const read = language === undefined ? saidLanguage : languageReader(language);
  return (answer) => {
    const found = languageCode(read(answer));
    return rubricLanguages.find((each) => each === found) ?? "en";
  };
}

/** A rubric that is the same for every case is shown as a variable too. */
export function rubricVariable(rubric: string | undefined, filled: string): Record<string, string> {
  return rubric === undefined || isTemplate(rubric) ? {} : { rubric: filled };
}

/** Faults of what names a rubric: of a name that is none, of one for the other type of judge, and of a language for a text. */
export function rubricFaults({ rubric, language }: RubricOptions, type: "judge" | "pairwise"): OptionFault[] {
  const ready = readyRubric(rubric);
  const faults: OptionFault[] = [];
  if (ready === null && language !== undefined) {
    faults.push({
      key: "language",
      message: `is for ready rubrics (${rubricNames.join(", ")}): write the rubric in that language`,
    });
  }
  if (ready !== null && ready.judgedBy !== type) {
    const own = rubricNames.filter((name) => readyRubrics[name].judgedBy === type).join(", ");
    faults.push({
      key: "rubric",
      message: `is a rubric for the type ${ready.judgedBy}; for ${type} there is ${own}, or a text of your own`,
    });
  }
  if (ready === null && rubric !== undefined && /^[a-z]+(?:-[a-z]+)+$/.test(rubric)) {
    const advice =
      didYouMean(rubric, rubricNames) ?? `There are: ${rubricNames.join(", ")}; any other text is a rubric itself.`;
    faults.push({ key: "rubric", message: `names the rubric ${showText(rubric)}, which does not exist. ${advice}` });
  }
  return faults;
}
