import { z } from "zod";
import { type JsonObject, type JsonValue, isJsonObject } from "../lib/json.ts";
import { botFile, functionFile } from "./configuration/configuration.ts";
import { deploymentSettings } from "./configuration/deployment-settings.ts";
import { faultKinds, faultRule } from "./faults/fault-rules.ts";

const introduction = `# The local deployment

Written by \`npm run generate\` from the schemas; do not edit.

\`tandem serve DIR\` serves a directory, and \`local:DIR\` as a \`base_url\` starts the same for one command:

- \`deployment.yaml\` (optional): keys, limits, faults, journal
- \`bots/ID.yaml\`: one conversational bot per file; ID is the \`example_id\`
- \`functions/ID.js\`: one function per file, a module whose default export is called with \`(variables, body)\`
- \`functions/ID.yaml\` (optional): defaults and limits of that function

Files are read again when they change, at most a tenth of a second later; a faulty edit is logged with its line and the
last good reading stays. Whether there is a journal, and how much of it and of the runs is kept, is decided at the start.

The bots also answer as a chat of OpenAI's API: \`POST /v1/chat/completions\`, where \`model\` is the ID of a bot, the last message is its prompt and
those before it the history. \`temperature\`, \`n\`, \`max_tokens\` and \`stream\` are understood; a token is counted for every four characters, or part of them,
of each message and reply. Keys, limits, credits and faults are the same, told in the shapes of that API (a lack of credits is 429 with the code
\`insufficient_quota\`). A bot with \`embedding\` makes vectors of texts: \`POST /v1/embeddings\` takes \`input\` (a text or a list of them), \`dimensions\` and
\`encoding_format\` (float or base64). Its vectors count words and parts of words: texts with the same words point in the same direction, and it knows
nothing of what they mean.

A bot with \`judge\` is told by its prompt what to look at: it understands the [ready rubrics](scorers.md#ready-rubrics) in each of their languages, by their
first words, and judges by numbers, words and a few phrases; by any other rubric it counts the words of the expected answer.

With \`tandem serve\`, the keys of \`deployment.yaml\` are the keys there are; without any, every well-formed bearer is
accepted, and a request without one unless \`require_key\` is set. An embedded deployment (\`local:DIR\`) accepts any key
and none; limits and credits of a known key still hold.

While the journal is on, \`GET /journal\` answers everything that was received, \`GET /faults\` the rules in force, and
\`PUT /faults\` replaces them by the JSON list in its body. They need no key.
`;

/** The reference of everything that can be configured, as Markdown: what docs/reference/deployment.md holds. */
export function deploymentReference(): string {
  const parts = [
    introduction,
    section("deployment.yaml", deploymentSettings, ["faults"]),
    section("bots/ID.yaml", botFile, []),
    section("functions/ID.yaml", functionFile, []),
    section("One rule of `faults`", faultRule, []),
    faultTable(),
  ];
  return parts.join("\n");
}

/** A heading and a table of keys; the keys of nested maps are written with dots. */
function section(title: string, schema: z.ZodType, apart: string[]): string {
  const json: JsonObject = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", reused: "inline" })));
  const rows = keyRows(json, "", apart).map(
    ([key, type, value, about]) => `| ${key} | ${type} | ${value} | ${about} |`,
  );
  return [`## ${title}`, "", "| key | value | default | what it is |", "|---|---|---|---|", ...rows, ""].join("\n");
}

type Row = [key: string, type: string, value: string, about: string];

function keyRows(schema: JsonObject, prefix: string, apart: string[]): Row[] {
  return Object.entries(membersOf(schema.properties)).flatMap(([name, member]): Row[] => {
    if (!isJsonObject(member)) return [];
    const key = prefix + name;
    const about = typeof member.description === "string" ? member.description : "";
    const row: Row = [`\`${key}\``, cell(typeText(member)), defaultText(member), cell(about)];
    return [row].concat(apart.includes(key) ? [] : nestedRows(member, key));
  });
}

/** The keys of a map, of a map in a choice, or of the maps in a list. */
function nestedRows(member: JsonObject, key: string): Row[] {
  const choices = Array.isArray(member.anyOf) ? member.anyOf.filter(isJsonObject) : [member];
  return choices.flatMap((choice) =>
    isJsonObject(choice.items) ? keyRows(choice.items, `${key}[].`, []) : keyRows(choice, `${key}.`, []),
  );
}

function typeText(schema: JsonObject): string {
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.filter(isJsonObject).map(typeText))].join(" or ");
  if (Array.isArray(schema.enum)) return schema.enum.map(shown).join(", ");
  if (schema.const !== undefined) return shown(schema.const);
  if (schema.type === "array") return `list of ${isJsonObject(schema.items) ? typeText(schema.items) : "anything"}`;
  if (schema.type === "object") return "map";
  if (schema.type === "string") return "text";
  if (schema.type === "boolean") return "true, false";
  if (schema.type === "integer" || schema.type === "number") return numberText(schema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(" or ");
  return typeof schema.type === "string" ? schema.type : "anything";
}

function numberText({ type, minimum, maximum }: JsonObject): string {
  const name = type === "integer" ? "whole number" : "number";
  const least = typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? ` from ${minimum}` : "";
  const most = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : "";
  return name + least + most;
}

/** Maps whose keys are listed need no default of their own. */
function defaultText(schema: JsonObject): string {
  const value = schema.default;
  if (value === undefined) return "";
  return isJsonObject(value) && schema.properties !== undefined ? "" : `\`${cell(JSON.stringify(value))}\``;
}

function faultTable(): string {
  const rows = Object.entries(faultKinds).map(
    ([kind, { phase, about }]) => `| \`${kind}\` | ${phase} | ${cell(about)} |`,
  );
  return [
    "## Kinds of faults",
    "",
    "`before`: instead of the run; none is made and none is paid. `after`: a run was made and counts as such.",
    "",
    "| kind | when | what happens |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function shown(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A text that cannot break out of its cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}
