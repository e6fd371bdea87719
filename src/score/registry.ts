import { z } from "zod";
import { catalogue } from "./catalogue.ts";
import type { RegisteredScorer } from "./contract/define.ts";
import { rowCheckScorers } from "./row-checks.ts";

/** Every type of scorer there is, in the order of the reference page. */
export const registry: readonly RegisteredScorer[] = [...catalogue, ...rowCheckScorers];

const byType = new Map(registry.map((scorer) => [scorer.type, scorer]));

/** The type of that name, or null. */
export function scorerOfType(type: string): RegisteredScorer | null {
  return byType.get(type) ?? null;
}

/** An entry of `scorers` in the suite file, told apart by `type`. */
export const scorerEntry = z
  .lazy(() =>
    z.discriminatedUnion("type", [firstSchema(), ...registry.slice(1).map(({ schema }) => schema)], {
      // The name of a type alone is what people write first.
      error: ({ input }) =>
        typeof input === "string" && byType.has(input)
          ? `must be a map of keys: write { type: ${input} } in place of ${input}`
          : undefined,
    }),
  )
  .describe("A rule that grades an answer; its keys depend on its type.");

function firstSchema(): z.ZodObject {
  const [first] = registry;
  if (first === undefined) throw new TypeError("The registry of scorers is empty.");
  return first.schema;
}
