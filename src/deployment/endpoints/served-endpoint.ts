import type { z } from "zod";
import type { JsonObject, JsonValue } from "../../lib/json.ts";

/** Everything in which one endpoint is served otherwise than another; where its configurations are is in `configurations.ts`. */
export interface ServedEndpoint {
  /** The name in a refusal for too many requests. */
  title: string;
  /** The first part of the address of a run's page. */
  slug: string;
  /** The names of the endpoint in the addresses of the asynchronous form, the usual one first. */
  asyncSlugs: readonly [string, ...string[]];
  /** The words of the OpenAPI document for it, and the name of its schemas there. */
  summary: string;
  schemaName: string;
  body: z.ZodObject;
  output: z.ZodObject;
  /** A body for a first try, as JSON text. */
  exampleBody: string;
  /** The setting with the configuration for a blank example_id. */
  defaultSetting: "default_bot" | "default_function";
  /** False for a field of a request that is dropped without a word. */
  keepsField: (name: string) => boolean;
  /** The error with which the service falls over a body that fits the schema; null for any other. */
  crashOn: (body: JsonObject) => string | null;
  /** The members of an output as the service writes them; a deployment of another age knows fewer. */
  members: (output: JsonObject, known: 13 | 14) => [string, JsonValue][];
  /** The fields of a request that a wide output echoes, in their order. */
  echoed: readonly string[];
}
