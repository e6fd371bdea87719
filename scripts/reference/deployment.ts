import { z } from "zod";
import type { JsonObject } from "../../src/lib/json.ts";
import { botFile, functionFile } from "../../src/deployment/configuration/configuration.ts";
import { deploymentSettings } from "../../src/deployment/configuration/deployment-settings.ts";
import { cell, keyLines, keyRows } from "./tables.ts";
import { faultKinds, faultRule } from "../../src/deployment/faults/fault-rules.ts";

const introduction = `# The local deployment

Written by \`npm run build:types\` from the schemas. [The guide](../docs/guides/local-deployment.md) shows how it is used.

\`tandem serve DIR\` serves a directory, and \`local:DIR\` as a \`base_url\` starts the same for one command:

- \`deployment.yaml\` (optional): keys, limits, faults, journal
- \`bots/ID.yaml\`: one conversational bot per file; ID is the \`example_id\`
- \`functions/ID.js\`: one function per file, a module whose default export is called with \`(variables, body)\`
- \`functions/ID.yaml\` (optional): defaults and limits of that function

A map whose keys are not listed has those of its name above; where no default is named it is false, empty or nothing. Files are read when it starts; a faulty one is refused with its line and column.

The bots also answer as a chat of OpenAI's API, \`POST /v1/chat/completions\` (\`model\` is the ID of a bot; \`temperature\`, \`n\`, \`max_tokens\` and
\`stream\` are understood; four characters are a token), and one with \`embedding\` at \`POST /v1/embeddings\`, with vectors that count words and know
nothing of what they mean. A bot with \`judge\` understands the [ready rubrics](../docs/reference/scorers.md#ready-rubrics)
as far as numbers, words and a few phrases go; by any other rubric it counts the words of the expected answer.

With \`tandem serve\`, the keys of \`deployment.yaml\` are the keys there are; without any, every well-formed bearer is accepted. An embedded deployment
(\`local:DIR\`) accepts any key and none; limits and credits of a known key still hold.

While the journal is on, \`GET /journal\` answers everything that was received, \`GET /faults\` the rules in force, and
\`PUT /faults\` replaces them by the JSON list in its body. They need no key.
`;

/** The reference of everything that can be configured, as Markdown: what dist/deployment.md holds. */
export function deploymentReference(): string {
  const told = new Set<string>();
  const parts = [
    introduction,
    section("deployment.yaml", deploymentSettings, told, "faults"),
    section("bots/ID.yaml", botFile, told),
    section("functions/ID.yaml", functionFile, told),
    section("One rule of `faults`", faultRule, told).replace(/(?<=^- `kind` \()[^)]*/m, "one of those below"),
    faultList(),
  ];
  return parts.join("\n");
}

/** A heading and the keys of a file. `apart`: a key whose own keys stand elsewhere. */
function section(title: string, schema: z.ZodType, told: Set<string>, apart: string | null = null): string {
  const json: JsonObject = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input", reused: "inline" })));
  const rows = keyRows(json).filter(({ path }) => apart === null || !path.startsWith(`${apart}[].`));
  return [`## ${title}`, "", ...keyLines(rows, told), ""].join("\n");
}

function faultList(): string {
  const lines = Object.entries(faultKinds).map(
    ([kind, { phase, about }]) => `- \`${kind}\` (${phase}): ${cell(about)}`,
  );
  return [
    "## Kinds of faults",
    "",
    "`before`: instead of the run; none is made and none is paid. `after`: a run was made and counts as such.",
    "",
    ...lines,
    "",
  ].join("\n");
}
