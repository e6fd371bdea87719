import { mkdir, rm, writeFile } from "node:fs/promises";
import { suiteJsonSchema } from "../src/suite/json-schema.ts";
import type { JsonObject } from "../src/lib/json.ts";
import { type PublishedSchemas, publishedSchemas } from "./json-schemas.ts";

const folder = new URL("../dist/schemas/", import.meta.url);

/** Writes dist/schemas: the JSON Schemas that the package ships, of suites, `report.json` and the output of each command. */
export async function writeSchemas(): Promise<PublishedSchemas> {
  const schemas = publishedSchemas();
  await rm(folder, { recursive: true, force: true });
  await mkdir(new URL("json/", folder), { recursive: true });
  const write = (name: string, schema: JsonObject): Promise<void> =>
    writeFile(new URL(`${name}.schema.json`, folder), JSON.stringify(schema));
  await write("suite", suiteJsonSchema());
  await write("report", schemas.report);
  for (const [name, schema] of Object.entries(schemas.outputs)) await write(`json/${name}`, schema);
  return schemas;
}
