import { type Prompt, readPrompts } from "./sheet.ts";

const prompts = readPrompts();

/** One typo survives in test; two are too far off for prod as well. */
const unaffected = new Set(["facilities-en-3", "hours-en-7", "hours-es-5"]);

/** Cases that a setting of bots/test makes worse, as datasets/help-desk/README.md tells it. */
export const planted: Record<string, ReadonlySet<string>> = {
  "`exclude`: the English article on lost cards is gone": idsOf(
    ({ category, language }) => category === "lost-card" && language === "en",
  ),
  "`retrieval.fuzzy: 0`: a misspelt word finds nothing": idsOf(
    ({ kind, id }) => kind === "typo" && !unaffected.has(id),
  ),
};

/** Every prompt that something was planted for: those that are misspelt or in another form of a word than the article, and the lost card. */
export const touched = idsOf(
  ({ id, kind, category, language }) =>
    kind === "typo" ||
    (category === "lost-card" && language === "en") ||
    id === "lost-card-ar-2" ||
    id === "service-sw-4",
);

function idsOf(is: (prompt: Prompt) => boolean): ReadonlySet<string> {
  return new Set(prompts.filter(is).map(({ id }) => id));
}

/** Values of tags such as `category=learning` for which next to nothing is planted: of their prompts one at the most is touched. */
export const calmValues: ReadonlySet<string> = new Set(
  tagValues().filter(
    (value) => prompts.filter((prompt) => touched.has(prompt.id) && hasValue(prompt, value)).length <= 1,
  ),
);

function tagValues(): string[] {
  return prompts.flatMap(({ category, language, kind }) => [
    `category=${category}`,
    `language=${language}`,
    `kind=${kind}`,
  ]);
}

function hasValue({ category, language, kind }: Prompt, value: string): boolean {
  return [`category=${category}`, `language=${language}`, `kind=${kind}`].includes(value);
}
