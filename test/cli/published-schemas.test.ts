import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { publishedSchemas } from "../../scripts/json-schemas.ts";

const reference = new URL("../../docs/reference/", import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, reference), "utf8"));

test("the schemas of report.json and of every --json are those of the types: run `npm run generate` when this fails", () => {
  const { outputs, report } = publishedSchemas();
  expect(read("report.schema.json")).toEqual(report);
  for (const [name, schema] of Object.entries(outputs)) expect(read(`json/${name}.schema.json`)).toEqual(schema);
  const names = readdirSync(new URL("json/", reference)).map((name) => name.replace(".schema.json", ""));
  expect(names.toSorted()).toEqual(Object.keys(outputs).toSorted());
});
