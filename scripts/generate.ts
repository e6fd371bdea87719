import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { cliReference, errorReference } from "./reference/cli.ts";
import { deploymentReference } from "./reference/deployment.ts";
import { queryReference } from "./reference/query.ts";
import { reportReference } from "./reference/report-json.ts";
import { formatsReference } from "./reference/reports.ts";
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
  "docs/reference/report-json.md": () => reportReference(schemas.report),
  "docs/reference/reports.md": formatsReference,
  "docs/reference/query.md": queryReference,
  "docs/reference/cli.md": cliReference,
  "docs/reference/errors.md": errorReference,
  "docs/reference/deployment.md": deploymentReference,
  "package-lock.json": () => lockFile(readFileSync(path("package-lock.json"), "utf8")),
};

for (const [name, make] of Object.entries(generated)) {
  await writeFile(path(name), make());
  console.log(name);
}
