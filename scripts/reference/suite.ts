import manifest from "../../package.json" with { type: "json" };
import { suiteJsonSchema } from "../../src/suite/json-schema.ts";
import { keyLines, keyRows } from "./tables.ts";

/** The reference page of the suite file as Markdown: every key with its type, whether it is needed, and its sentence. */
export function suiteReference(): string {
  const rows = keyRows(suiteJsonSchema()).filter(({ path }) => !path.startsWith("scorers[]."));
  return [
    "# The suite file",
    "",
    "Written by `npm run generate` from `src/suite/schema`; do not edit.",
    "",
    "A suite is a YAML file. Paths are relative to it. Every fault of a suite is listed at once as `file:line:column`.",
    "`NAME` stands for a name of your choice, `[]` for an entry of a list. Either `targets` or `matrix` is needed.",
    "An entry of `scorers` has a `type` and the keys of that type: [scorers](scorers.md).",
    "",
    ...keyLines(rows),
    "",
    "## In an editor",
    "",
    "VS Code (with the extension YAML by Red Hat), JetBrains' editors, Neovim and Helix (with yaml-language-server) complete and check",
    "a suite whose first line names the schema of the installed version, as `tandem init` writes it where tandem is installed in the project:",
    "",
    "```yaml",
    `# yaml-language-server: $schema=./node_modules/${manifest.name}/dist/schemas/suite.schema.json`,
    "```",
    "",
    "For all suites at once, in `.vscode/settings.json`:",
    "",
    "```json",
    "{",
    '  "yaml.schemas": {',
    `    "./node_modules/${manifest.name}/dist/schemas/suite.schema.json": ["tandem.yaml", "**/*.suite.yaml"]`,
    "  }",
    "}",
    "```",
    "",
    "`tandem check` checks what depends on other files, such as columns of the dataset.",
    "",
  ].join("\n");
}
