import { z } from "zod";
import type { JsonObject } from "../../src/lib/json.ts";
import { botFile, functionFile } from "../../src/deployment/configuration/configuration.ts";
import { deploymentSettings } from "../../src/deployment/configuration/deployment-settings.ts";
import { cell, keyRows, table } from "./tables.ts";
import { faultKinds, faultRule } from "../../src/deployment/faults/fault-rules.ts";

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
    section("deployment.yaml", deploymentSettings, "faults"),
    section("bots/ID.yaml", botFile),
    section("functions/ID.yaml", functionFile),
    section("One rule of `faults`", faultRule),
    faultTable(),
  ];
  return parts.join("\n");
}

/** A heading and a table of keys. `apart`: a key whose own keys stand elsewhere. */
function section(title: string, schema: z.ZodType, apart: string | null = null): string {
  const json: JsonObject = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", reused: "inline" })));
  const rows = keyRows(json).filter(({ path }) => apart === null || !path.startsWith(`${apart}[].`));
  const cells = rows.map(({ path, type, fallback, about }) => [`\`${path}\``, type, fallback, about]);
  return [`## ${title}`, "", ...table(["key", "value", "default", "what it is"], cells), ""].join("\n");
}

function faultTable(): string {
  const rows = Object.entries(faultKinds).map(([kind, { phase, about }]) => [`\`${kind}\``, phase, cell(about)]);
  return [
    "## Kinds of faults",
    "",
    "`before`: instead of the run; none is made and none is paid. `after`: a run was made and counts as such.",
    "",
    ...table(["kind", "when", "what happens"], rows),
    "",
  ].join("\n");
}
