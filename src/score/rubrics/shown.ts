import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { languageCode } from "../../text/language.ts";
import {
  type PlantedCase,
  type PlantedWrong,
  type RubricLanguage,
  rubricLanguages,
  wrongsOf,
  wrongWords,
} from "./rubric.ts";
import { isRubricName, readyRubrics, type RubricName, rubricNames, rubricTexts } from "./rubrics.ts";

/** A ready rubric with all there is to it. */
export interface ShownRubric {
  name: RubricName;
  /** The type of scorer that judges by it. */
  type: "judge" | "pairwise";
  /** The answers that pass, in a sentence. */
  about: string;
  /** The things that a row must have. */
  needs: readonly ("sources" | "expected")[];
  /** The text that a judge is given, by the code of its language. */
  texts: Readonly<Record<RubricLanguage, string>>;
  /** Cases by which it is tested. */
  cases: ShownCase[];
}

/** A case with a good answer, and wrong ones that must fail. */
interface ShownCase extends Omit<PlantedCase, "wrongs"> {
  wrongs: PlantedWrong[];
}

/** All ready rubrics, or the one of a name. Throws USAGE for a name that is none. */
export async function findRubrics(name: string | undefined): Promise<ShownRubric[]> {
  if (name !== undefined && !isRubricName(name)) {
    throw new AppError("USAGE", `There is no ready rubric ${showText(name)}.`, {
      hint: didYouMean(name, rubricNames) ?? `There are: ${rubricNames.join(", ")}.`,
    });
  }
  return Promise.all((name === undefined ? rubricNames : [name]).map(shownRubric));
}

async function shownRubric(name: RubricName): Promise<ShownRubric> {
  const { judgedBy: type, about, needs, load } = readyRubrics[name];
  const { planted: cases } = await load();
  return {
    name,
    type,
    about,
    needs,
    texts: await rubricTexts(name),
    cases: cases.map((each) => ({ ...each, wrongs: wrongsOf(each) })),
  };
}

/** The language of a code or a name, such as es, es-MX or Spanish. Throws USAGE for one in which no rubric is written. */
export function rubricLanguage(text: string): RubricLanguage {
  const code = languageCode(text);
  const found = rubricLanguages.find((each) => each === code);
  if (found !== undefined) return found;
  throw new AppError("USAGE", `No ready rubric is written in the language ${showText(text)}.`, {
    hint: `There are: ${rubricLanguages.join(", ")}. A rubric of your own may be in any: rubric: "your text".`,
  });
}

/** The rubrics with what they are about, and what they need. */
export function listText(rubrics: readonly ShownRubric[]): string {
  const width = Math.max(...rubrics.map(({ name }) => name.length));
  const lines = rubrics.map(({ name, about, needs, type }) => {
    const needed = needs.length === 0 ? "" : ` Needs ${needs.map((need) => shownNeeds[need]).join(" and ")}.`;
    return `${name.padEnd(width)}  ${about}${needed}${type === "pairwise" ? " For the type pairwise." : ""}`;
  });
  return [...lines, "", "In a suite: { name: faithful, type: judge, rubric: faithful-to-sources, target: JUDGE }"].join(
    "\n",
  );
}

const shownNeeds = { sources: "a column with sources", expected: "an expected answer" } as const;

/** The cases in one language, each with its good answer and the wrong ones. */
export function planted({ cases }: ShownRubric, language: RubricLanguage): string {
  return cases
    .filter((each) => each.language === language)
    .map(caseText)
    .join("\n\n");
}

function caseText({ question, sources, expected, good, wrongs }: ShownCase): string {
  const about = wrongs.map(
    ({ kind, answer }) => `  ${kind} (${wrongWords[kind]})\n    ${answer === "" ? "(empty)" : answer}`,
  );
  return [
    `question  ${question}`,
    ...(sources === undefined ? [] : [`sources   ${sources}`]),
    ...(expected === undefined ? [] : [`expected  ${expected}`]),
    `good      ${good}`,
    "wrong",
    ...about,
  ].join("\n");
}
