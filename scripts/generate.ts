import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { cliReference, errorList } from "./reference/cli.ts";
import { queryReference } from "./reference/query.ts";
import { reportMembers } from "./reference/report-json.ts";
import { filesTable, runColumnsTable } from "./reference/reports.ts";
import { scorersReference } from "./reference/scorers.ts";
import { suiteReference } from "./reference/suite.ts";
import { lockFile } from "./lock-file.ts";
import { writeSchemas } from "./write-schemas.ts";

const path = (name: string): URL => new URL(`../${name}`, import.meta.url);

const schemas = await writeSchemas();

/** Files that are made from code, by path; `npm run generate` must leave git clean. */
const generated: Record<string, () => string> = {
  "docs/reference/suite.md": suiteReference,
  "docs/reference/scorers.md": scorersReference,
  "docs/reference/query.md": queryReference,
  "docs/reference/cli.md": cliReference,
  "package-lock.json": () => lockFile(readFileSync(path("package-lock.json"), "utf8")),
};

/** Parts of pages, by their name in the comments before and behind them. */
const parts: Record<string, Record<string, () => string>> = {
  "docs/reference/errors.md": { errors: errorList },
  "docs/reference/report-json.md": {
    files: filesTable,
    columns: runColumnsTable,
    members: () => reportMembers(schemas.report),
  },
};

for (const [name, made] of Object.entries(parts)) {
  for (const [part, make] of Object.entries(made)) {
    const between = new RegExp(`(<!-- ${part}: .*-->\\n)[^]*?(<!-- end of ${part} -->)`);
    const page = readFileSync(path(name), "utf8");
    if (!between.test(page)) throw new Error(`${name} has no place for its part ${part}`);
    await writeFile(
      path(name),
      page.replace(between, (_, begin, end) => `${begin}${make()}\n${end}`),
    );
  }
  console.log(name);
}

for (const [name, make] of Object.entries(generated)) {
  await writeFile(path(name), make());
  console.log(name);
}
