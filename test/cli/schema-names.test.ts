import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { commandName } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { pathOfSchema, schemaNames, schemaOfCommand } from "../../src/cli/schema-names.ts";

test("every command that has --json has the schema of what it prints, and no other has", () => {
  const withJson = commands.filter(({ flags }) => "json" in flags).map(commandName);
  expect(Object.keys(schemaOfCommand).toSorted()).toEqual(withJson.toSorted());
});

test("every schema that can be asked for stands in docs/reference", () => {
  const missing = schemaNames.filter(
    (name) => !existsSync(new URL(`../../docs/reference/${pathOfSchema(name)}`, import.meta.url)),
  );
  expect(missing).toEqual([]);
});
