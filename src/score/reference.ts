import { z } from "zod";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import type { RegisteredScorer } from "./contract/define.ts";
import { registry } from "./registry.ts";
import type { ScorerExample, ScorerFamily } from "./contract/scorer.ts";
import { rubricLanguages } from "./rubrics/rubric.ts";
import { rubricNeedWords, readyRubrics, type RubricName, rubricNames } from "./rubrics/rubrics.ts";
import { commonKeys } from "./contract/spec.ts";

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
    "| Rubric | Type | A row needs | Passes |",
    "|---|---|---|---|",
    ...rubricNames.map(rubricRow),
    "",
    "## Keys of every scorer",
    "",
    ...keyTable({ ...commonKeys }),
    "",
    ...sections,
  ].join("\n");
}

function rubricRow(name: RubricName): string {
  const { judgedBy, needs, about } = readyRubrics[name];
  const needed = needs.map((need) => rubricNeedWords[need]).join(", ");
  return `| \`${name}\` | \`${judgedBy}\` | ${needed} | ${cell(about)} |`;
}

function typeSection({ type, about, keys, examples }: RegisteredScorer): string[] {
  const table = keyTable(keys);
  return [
    `### ${type}`,
    "",
    about,
    "",
    ...(table.length === 0 ? [] : [...table, ""]),
    ...(examples.length === 0 ? [] : [...examples.map((example) => exampleLine(type, example)), ""]),
  ];
}

function keyTable(keys: z.ZodRawShape): string[] {
  const schema: unknown = z.toJSONSchema(z.object(keys), { io: "input" });
  const properties = isJsonObject(schema) && isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = isJsonObject(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  const rows = Object.entries(properties).map(([name, key]) => {
    const described = isJsonObject(key) ? key["description"] : "";
    const about = typeof described === "string" ? described : "";
    return `| \`${name}\` | ${cell(typeOf(key))} | ${required.includes(name) ? "yes" : ""} | ${cell(about)} |`;
  });
  return rows.length === 0 ? [] : ["| Key | Type | Needed | Meaning |", "|---|---|---|---|", ...rows];
}

function typeOf(key: JsonValue): string {
  if (!isJsonObject(key)) return "any";
  const { type, enum: values, anyOf, items } = key;
  if (Array.isArray(values)) return values.map(String).join(", ");
  if (Array.isArray(anyOf)) return Array.from(new Set(anyOf.map(typeOf))).join(" or ");
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each })).join(" or ");
  if (type === "array") return `list of ${typeOf(items ?? {})}`;
  return typeof type === "string" ? (names[type] ?? type) : "any";
}

const names: Record<string, string> = {
  object: "map",
  string: "text",
  number: "number",
  integer: "whole number",
  boolean: "true or false",
};

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

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}
