import { z } from "zod";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import { suiteFile } from "./schema/schema.ts";

/** The JSON Schema of the suite file, for editors. */
export function suiteJsonSchema(): JsonObject {
  const schema: unknown = z.toJSONSchema(suiteFile, { io: "input" });
  if (!isJsonObject(schema)) throw new TypeError("The schema of the suite is not an object.");
  return { ...schema, title: "tandem suite" };
}
