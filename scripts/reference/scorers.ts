import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/lib/json.ts";
import type { RegisteredScorer } from "../../src/score/contract/define.ts";
import { registry } from "../../src/score/registry.ts";
import type { ScorerExample, ScorerFamily } from "../../src/score/contract/scorer.ts";
import { rubricLanguages } from "../../src/score/rubrics/rubric.ts";
import { rubricNeedWords, readyRubrics, type RubricName, rubricNames } from "../../src/score/rubrics/rubrics.ts";
import { cell, keyRows, table } from "./tables.ts";
import { commonKeys } from "../../src/score/contract/spec.ts";

const families: Record<ScorerFamily, string> = {
  plain: "Plain checks",
  text: "Measures of a text",
  service: "Of the service",
  function: "For functions",
  own: "Your own",
  judge: "Judges",
  composite: "Made of others",
};

/** The reference page of the scorers as Markdown: every type with its keys and examples, which are tests. */
export function scorersReference(): string {
  const sections = Object.entries(families).flatMap(([family, title]) => {
    const types = registry.filter((scorer) => scorer.family === family);
    return [`## ${title}`, "", ...types.flatMap(typeSection)];
  });
  return [
    "# Scorers",
    "",
    "Generated from `src/score` by `npm run generate`; do not edit. How to use them is in [the guide](../guides/scorers.md).",
    "",
    `The entries of a suite's \`scorers\`, told apart by \`type\`: ${registry.map(({ type }) => `[${type}](#${type})`).join(", ")}.`,
    "",
    "Every score is a value, pass or fail (or neither, where a scorer only measures) and a reason; or it is *unscored*, with the reason. Unscored is never 0: it leaves a comparison and is counted.",
    "",
    "## Ready rubrics",
    "",
    `A name that \`rubric\` of a judge takes in place of a text, each in ${rubricLanguages.join(", ")}. The texts, with the wrong answers by which they are tested: \`tandem judge rubrics NAME\`.`,
    "",
    ...table(["Rubric", "Type", "A row needs", "Passes"], rubricNames.map(rubricRow)),
    "",
    "## Keys of every scorer",
    "",
    ...keyTable({ ...commonKeys }),
    "",
    ...sections,
  ].join("\n");
}

function rubricRow(name: RubricName): string[] {
  const { judgedBy, needs, about } = readyRubrics[name];
  const needed = needs.map((need) => rubricNeedWords[need]).join(", ");
  return [`\`${name}\``, `\`${judgedBy}\``, needed, cell(about)];
}

function typeSection({ type, about, keys, examples }: RegisteredScorer): string[] {
  const rows = keyTable(keys);
  return [
    `### ${type}`,
    "",
    about,
    "",
    ...(rows.length === 0 ? [] : [...rows, ""]),
    ...(examples.length === 0 ? [] : [...examples.map((example) => exampleLine(type, example)), ""]),
  ];
}

function keyTable(keys: z.ZodRawShape): string[] {
  const schema: unknown = z.toJSONSchema(z.object(keys), { io: "input" });
  const rows = keyRows(isJsonObject(schema) ? schema : {}).filter(({ path }) => !/[.[]/.test(path));
  const cells = rows.map(({ path, type, needed, about }) => [`\`${path}\``, type, needed, about]);
  return cells.length === 0 ? [] : table(["Key", "Type", "Needed", "Meaning"], cells);
}

function exampleLine(type: string, example: ScorerExample): string {
  const { about, scorer, files, expected, answer, with: more, replies, baseline, scores, score } = example;
  const shown: JsonObject = { type, ...scorer };
  const given = [
    `\`${inline(shown)}\``,
    ...Object.entries(files ?? {}).map(([name, text]) => `${name} \`${inline(text)}\``),
    ...(expected === undefined ? [] : [`expected \`${inline(expected)}\``]),
    ...(scores === undefined ? [`answered \`${inline(answer)}\``] : [`scores ${inlineScores(scores)}`]),
    ...contextOf(more),
    ...(baseline === undefined ? [] : [`the baseline \`${inline(baseline)}\``]),
    ...(replies ?? []).map((reply) => `the judge \`${inline(reply)}\``),
  ];
  return `- ${about}: ${given.join(", ")} → ${resultOf(score)}`;
}

function resultOf(score: ScorerExample["score"]): string {
  if (score === "passes") return "**1**, pass";
  if (score === "fails") return "**0**, fail";
  if ("unscored" in score) return "*unscored*";
  return `**${Number(score.value.toPrecision(6))}**${score.pass === null ? "" : score.pass ? ", pass" : ", fail"}`;
}

function contextOf(more: ScorerExample["with"]): string[] {
  if (more === undefined) return [];
  const { case: about, latencyMs, firstMs, usage, outcome } = more;
  const { columns = {}, tags = {}, checks = null } = about ?? {};
  return [
    ...(Object.keys(columns).length === 0 ? [] : [`columns \`${inline(columns)}\``]),
    ...(Object.keys(tags).length === 0 ? [] : [`tags \`${inline(tags)}\``]),
    ...(checks === null ? [] : [`checks of the row \`${inline(checks.scorers)}\``]),
    ...(latencyMs === undefined || latencyMs === null ? [] : [`in ${latencyMs} ms`]),
    ...(firstMs === undefined || firstMs === null ? [] : [`first piece in ${firstMs} ms`]),
    ...(usage === undefined || usage === null ? [] : [`${usage.input} tokens read and ${usage.output} written`]),
    ...(outcome === undefined ? [] : [`outcome ${outcome}`]),
  ];
}

function inlineScores(scores: NonNullable<ScorerExample["scores"]>): string {
  return Object.entries(scores)
    .map(([name, score]) => `${name} ${"unscored" in score ? "unscored" : score.value}`)
    .join(", ");
}

/** A value as one line of JSON, which is YAML too. */
function inline(value: JsonValue): string {
  const text = JSON.stringify(value);
  return (text.length > 160 ? `${text.slice(0, 160)}...` : text).replaceAll("`", "'");
}
