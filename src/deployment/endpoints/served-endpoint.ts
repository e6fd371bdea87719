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
  body: z.ZodObject;
  /** A body for a first try, as JSON text. */
  exampleBody: string;
  /** False for a field of a request that is dropped without a word. */
  keepsField: (name: string) => boolean;
  /** The error with which the service falls over a body that fits the schema; null for any other. */
  crashOn: (body: JsonObject) => string | null;
  /** The members of an output as the service writes them; a deployment of another age knows fewer. */
  members: (output: JsonObject, known: 13 | 14) => [string, JsonValue][];
  /** The fields of a request that a wide output echoes, in their order. */
  echoed: readonly string[];
}
