import { functionsBody } from "../../api/functions-schema.ts";
import type { ServedEndpoint } from "./served-endpoint.ts";

export const servedFunctions: ServedEndpoint = {
  title: "Functions",
  slug: "functions",
  asyncSlugs: ["functions"],
  body: functionsBody,
  exampleBody: '{"variables":{}}',
  /** A function reads any field of its body by name. */
  keepsField: () => true,
  crashOn: () => null,
  members: (output) => Object.entries(output),
  echoed: ["variables"],
};
