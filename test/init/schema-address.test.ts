import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schemaAddress } from "../../src/init/schema-address.ts";

test("a suite names the schema of a package that is installed around it, and none that others would not have", () => {
  const project = mkdtempSync(join(tmpdir(), "tandem-schema-"));
  const folder = join(project, "node_modules", "tandem", "dist", "schemas");
  const schema = join(folder, "suite.schema.json");
  expect(schemaAddress(project, schema)).toBeNull();
  mkdirSync(folder, { recursive: true });
  writeFileSync(schema, "{}");
  expect(schemaAddress(project, schema)).toBe("./node_modules/tandem/dist/schemas/suite.schema.json");
  expect(schemaAddress(join(project, "nights", "one"), schema)).toBe(
    "../../node_modules/tandem/dist/schemas/suite.schema.json",
  );
  expect(schemaAddress(tmpdir(), schema)).toBeNull();
  expect(schemaAddress(`${project}-other`, schema)).toBeNull();
});
