import manifest from "../../package.json" with { type: "json" };
import { suiteJsonSchema } from "../../src/suite/json-schema.ts";
import { keyRows, table } from "./tables.ts";

/** The reference page of the suite file as Markdown: every key with its type, whether it is needed, and its sentence. */
export function suiteReference(): string {
  const rows = keyRows(suiteJsonSchema()).map((key) => [`\`${key.path}\``, key.type, key.needed, key.about]);
  return [
    "# The suite file",
    "",
    "Generated from `src/suite/schema` by `npm run generate`; do not edit.",
    "",
    "A suite is a YAML file. Paths are relative to it. Every fault of a suite is listed at once as `file:line:column`.",
    "",
    "## In an editor",
    "",
    "Editors complete and check a suite by `dist/schemas/suite.schema.json` of the package. `tandem init` writes it beside the suite, whose first line names it:",
    "",
    "```yaml",
    "# yaml-language-server: $schema=./suite.schema.json",
    "```",
    "",
    "VS Code (with the extension YAML by Red Hat), JetBrains' editors, Neovim and Helix (with yaml-language-server) read that line.",
    "Where tandem is installed in the project, name the file in the package, which is always that of the installed version:",
    `\`# yaml-language-server: $schema=node_modules/${manifest.name}/dist/schemas/suite.schema.json\`, with the path from the suite, or once for all suites in`,
    "`.vscode/settings.json`:",
    "",
    "```json",
    "{",
    '  "yaml.schemas": {',
    `    "./node_modules/${manifest.name}/dist/schemas/suite.schema.json": ["tandem.yaml", "**/*.suite.yaml"]`,
    "  }",
    "}",
    "```",
    "",
    "The schema knows keys and kinds of values. `tandem check` checks what depends on other files, such as columns of the dataset.",
    "",
    "## Keys",
    "",
    ...table(["Key", "Type", "Needed", "Meaning"], rows),
    "",
    "`NAME` stands for a name of your choice, `[]` for an entry of a list. Either `targets` or `matrix` is needed.",
    "",
  ].join("\n");
}
