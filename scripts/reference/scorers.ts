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

/** A key of a scorer, told in one line. */
interface ScorerKey {
  name: string;
  line: string;
}

/** The reference page of the scorers as Markdown: every type with its keys and an example. */
export function scorersReference(): string {
  const shared = sharedKeys(registry, 4);
  return [
    "# Scorers",
    "",
    "Written by `npm run generate` from `src/score`; do not edit. Which one fits is in [the guide](../guides/scorers.md).",
    "",
    "An entry of a suite's `scorers` has a `type`, the keys of every scorer, and its own. A score is a value, pass or fail (or neither,",
    "where a scorer only measures) and a reason; or it is *unscored*, with the reason. Unscored is never 0: it leaves a comparison and is counted.",
    "",
    "## Keys of every scorer",
    "",
    ...scorerKeys({ ...commonKeys }).map(({ line }) => line),
    "",
    "## Keys of many scorers",
    "",
    "Meant where a type, or the group that it stands in, names such a key and says nothing else of it.",
    "",
    ...shared.map(({ line }) => line),
    "",
    ...Object.entries(families).flatMap(([family, title]) => familySection(family, title, shared)),
    "## Ready rubrics",
    "",
    `A name that \`rubric\` of a judge takes in place of a text, each in ${rubricLanguages.join(", ")}. The texts, with the wrong answers by which they are tested: \`tandem judge rubrics NAME\`.`,
    "",
    ...table(["Rubric", "Type", "A row needs", "Passes"], rubricNames.map(rubricRow)),
    "",
  ].join("\n");
}

function rubricRow(name: RubricName): string[] {
  const { judgedBy, needs, about } = readyRubrics[name];
  const needed = needs.map((need) => rubricNeedWords[need]).join(", ");
  return [`\`${name}\``, `\`${judgedBy}\``, needed, cell(about)];
}

/** The types of a family, with the keys that several of them have told once. */
function familySection(family: string, title: string, known: readonly ScorerKey[]): string[] {
  const types = registry.filter((scorer) => scorer.family === family);
  const lines = new Set(known.map(({ line }) => line));
  const here = sharedKeys(types, 2).filter(({ line }) => !lines.has(line));
  const names = new Set(here.map(({ name }) => name));
  const told = new Set([...known.filter(({ name }) => !names.has(name)), ...here].map(({ line }) => line));
  return [
    `## ${title}`,
    "",
    ...(here.length === 0 ? [] : ["In this group:", "", ...here.map(({ line }) => line), ""]),
    ...types.flatMap((scorer) => typeSection(scorer, told)),
  ];
}

/** Keys that so many types have in the same words; of two of one name the first. */
function sharedKeys(types: readonly RegisteredScorer[], least: number): ScorerKey[] {
  const groups = Map.groupBy(
    types.flatMap(({ keys }) => scorerKeys(keys)),
    ({ line }) => line,
  ).values();
  const several = [...groups].flatMap((group) => (group.length < least ? [] : group.slice(0, 1)));
  return several.filter(({ name }, at) => several.findIndex((other) => other.name === name) === at);
}

function typeSection({ type, about, keys, examples }: RegisteredScorer, told: ReadonlySet<string>): string[] {
  const all = scorerKeys(keys);
  const own = all.filter(({ line }) => !told.has(line)).map(({ line }) => line);
  const others = all.filter(({ line }) => told.has(line)).map(({ name }) => `\`${name}\``);
  const [example] = examples;
  return [
    `### ${type}`,
    "",
    about,
    "",
    ...own,
    ...(others.length === 0 ? [] : [`- ${others.join(", ")}`]),
    ...(all.length === 0 ? [] : [""]),
    ...(example === undefined ? [] : [`Example: ${exampleLine(type, example)}`, ""]),
  ];
}

/** The keys at the top of a scorer. */
function scorerKeys(keys: z.ZodRawShape): ScorerKey[] {
  const schema: unknown = z.toJSONSchema(z.object(keys), { io: "input" });
  return keyRows(isJsonObject(schema) ? schema : {})
    .filter(({ path }) => !/[.[]/.test(path))
    .map(({ path, type, needed, about }) => {
      const kind = type.replaceAll("text or number or true or false", "text");
      return { name: path, line: `- \`${path}\` (${kind}${needed === "" ? "" : ", needed"}): ${about}` };
    });
}

function exampleLine(type: string, example: ScorerExample): string {
  const { scorer, files, expected, answer, with: more, replies, baseline, scores, score } = example;
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
  return `${given.join(", ")} → ${resultOf(score)}`;
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
