import { functionsBody, functionsOutput } from "../../api/functions-schema.ts";
import type { ServedEndpoint } from "./served-endpoint.ts";

export const servedFunctions: ServedEndpoint = {
  title: "Functions",
  slug: "functions",
  asyncSlugs: ["functions"],
  summary: "Run a function",
  schemaName: "Functions",
  body: functionsBody,
  output: functionsOutput,
  exampleBody: '{"variables":{}}',
  defaultSetting: "default_function",
  /** A function reads any field of its body by name. */
  keepsField: () => true,
  crashOn: () => null,
  members: (output) => Object.entries(output),
  echoed: ["variables"],
};
