import type { ErrorObject, Options, ValidateFunction } from "ajv";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { guardedPattern } from "../../text/pattern.ts";

interface Ajv {
  compile: (schema: JsonObject) => ValidateFunction;
}

let engines: { recent: (options: Options) => Ajv; draft7: (options: Options) => Ajv } | null = null;

/** Loads the checker of JSON Schemas; call it before `schemaCheck`. */
export async function loadSchemas(): Promise<void> {
  if (engines !== null) return;
  const { Ajv2020, Ajv: Ajv7 } = await import("./ajv.ts");
  engines = { recent: (options) => new Ajv2020(options), draft7: (options) => new Ajv7(options) };
}

/**
 * Compiles a JSON Schema (2020-12, or draft-06 and draft-07 where `$schema` says so) to a function that gives what is
 * wrong with a value, in sentences; empty when it fits. Nothing is loaded from elsewhere. Throws when it is no schema.
 */
export function schemaCheck(schema: JsonObject): (value: JsonValue) => string[] {
  if (engines === null) throw new TypeError("The checker of JSON Schemas is not loaded.");
  const older = typeof schema["$schema"] === "string" && /draft-0[67]/.test(schema["$schema"]);
  const validate = (older ? engines.draft7 : engines.recent)(options).compile(withoutDraft6(schema));
  return (value) => (validate(value) ? [] : (validate.errors ?? []).slice(0, mostFaults).map(sentence));
}

const mostFaults = 5;

/** Ajv has the schema of draft-07 built in, of which draft-06 is a part. */
function withoutDraft6(schema: JsonObject): JsonObject {
  const named = schema["$schema"];
  if (typeof named !== "string" || !named.includes("draft-06")) return schema;
  return { ...schema, $schema: "http://json-schema.org/draft-07/schema#" };
}

/** A pattern of a schema that takes too long must not stop the program. */
function engine(pattern: string, flags: string): { test: (text: string) => boolean } {
  const guarded = guardedPattern(pattern, flags);
  return {
    test: (text) => {
      const found = guarded.find(text);
      if (typeof found === "object" && found !== null) throw new Error(`the pattern ${pattern}: ${found.gaveUp}`);
      return found !== null;
    },
  };
}
engine.code = "engine";

const formats: Record<string, RegExp> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i,
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i,
  email: /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/,
  uuid: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
};

const options: Options = {
  // A schema is written for many checkers: what this one does not know is passed over.
  strict: false,
  allErrors: true,
  logger: false,
  formats: { ...formats, uri: { type: "string", validate: (text: string) => URL.canParse(text) } },
  code: { regExp: engine },
};

function sentence({ instancePath, message = "does not fit", params, keyword }: ErrorObject): string {
  const where = instancePath === "" ? "it" : instancePath.slice(1).replaceAll("/", ".");
  const more: unknown = params;
  const named =
    keyword === "additionalProperties" && isJsonObject(more) ? ` (${JSON.stringify(more["additionalProperty"])})` : "";
  return `${where} ${message}${named}`;
}
