import { existsSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { commandName } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { jsonSchemaFile } from "./json-schema-file.ts";

test("every command that has --json has the schema of what it prints, and no other has", () => {
  const withJson = commands.filter(({ flags }) => "json" in flags).map(commandName);
  expect(withJson.filter((name) => !existsSync(jsonSchemaFile(name)))).toEqual([]);
  const files = new Set([...withJson, "error"].map((name) => basename(jsonSchemaFile(name).pathname)));
  expect(readdirSync(new URL("../../dist/schemas/json", import.meta.url)).toSorted()).toEqual([...files].toSorted());
});
