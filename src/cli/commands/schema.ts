import { defineCommand } from "../command.ts";
import { pathOfSchema, schemaNames } from "../schema-names.ts";

export const schemaCommand = defineCommand({
  command: "schema [of]",
  describe: "Print the JSON Schema of suites, or of the --json of a command",
  positionals: {
    of: { choices: schemaNames, default: "suite", describe: "suite, report.json, a command, or error" },
  },
  flags: {},
  examples: [
    ["$0 schema > suite.schema.json", "For an editor: the first line of a suite names it"],
    ["$0 schema compare", "What `compare --json` prints"],
  ],
  async run({ of }, terminal) {
    const { readFile } = await import("node:fs/promises");
    const text = await readFile(new URL(`./schemas/${pathOfSchema(of)}`, import.meta.url), "utf8");
    terminal.print(JSON.stringify(JSON.parse(text), null, 2));
    return 0;
  },
});
