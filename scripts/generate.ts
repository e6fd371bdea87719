import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { cliReference, errorReference } from "../src/cli/reference.ts";
import { deploymentReference } from "../src/deployment/reference.ts";
import { formatsReference } from "../src/report/formats/formats-reference.ts";
import { queryReference } from "../src/report/query/query-reference.ts";
import { reportReference } from "../src/report/formats/json/report-reference.ts";
import { scorersReference } from "../src/score/reference.ts";
import { suiteJsonSchema, suiteReference } from "../src/suite/reference.ts";
import { publishedSchemas } from "./json-schemas.ts";
import { lockFile } from "./lock-file.ts";

const path = (name: string): URL => new URL(`../${name}`, import.meta.url);

const schemas = publishedSchemas();

/** Files that are made from code, by path; `npm run generate` must leave git clean. */
const generated: Record<string, () => string> = {
  "docs/reference/suite.schema.json": () => `${JSON.stringify(suiteJsonSchema(), null, 2)}\n`,
  "docs/reference/suite.md": suiteReference,
  "docs/reference/scorers.md": scorersReference,
  "docs/reference/report.schema.json": () => `${JSON.stringify(schemas.report, null, 2)}\n`,
  "docs/reference/report-json.md": () => reportReference(schemas.report),
  "docs/reference/reports.md": formatsReference,
  "docs/reference/query.md": queryReference,
  "docs/reference/cli.md": cliReference,
  "docs/reference/errors.md": errorReference,
  "docs/reference/deployment.md": deploymentReference,
  ...Object.fromEntries(
    Object.entries(schemas.outputs).map(([name, schema]) => [
      `docs/reference/json/${name}.schema.json`,
      () => `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  ),
  "package-lock.json": () => lockFile(readFileSync(path("package-lock.json"), "utf8")),
};

for (const [name, make] of Object.entries(generated)) {
  await writeFile(path(name), make());
  console.log(name);
}
