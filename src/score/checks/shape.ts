import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue, withPlainNumbers } from "../../lib/json.ts";
import { defineScorer } from "../contract/define.ts";
import { verdict } from "../contract/finding.ts";
import { loadSchemas, schemaCheck } from "../json/schema-check.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import type { ScorerSpec } from "../contract/spec.ts";

export const shapeScorers = [
  defineScorer({
    type: "shape",
    family: "service",
    about:
      "The members of output have the shape that they should have: a JSON Schema of output, written here or learned from the answers of a batch.",
    keys: {
      schema: z
        .record(z.string(), z.json())
        .optional()
        .describe("The JSON Schema of output. Either schema or learn_from."),
      learn_from: z
        .string()
        .optional()
        .describe(
          "Name of a batch (or SUITE~N, latest) of whose baseline's answers the schema is learned: members that all of them have are required, types are those that occurred.",
        ),
    },
    faults: ({ schema, learn_from }) =>
      (schema === undefined) === (learn_from === undefined)
        ? [{ key: "", message: "must have either schema or learn_from" }]
        : [],
    examples: [
      {
        about: "a member that is missing",
        scorer: {
          schema: {
            type: "object",
            required: ["output_text"],
            properties: { output_text: { type: "array", items: { type: "string" } } },
          },
        },
        answer: { raw_output_text: ["x"] },
        score: "fails",
      },
      {
        about: "as it should be",
        scorer: { schema: { properties: { output_text: { type: "array", minItems: 1 } } } },
        answer: "Hello",
        score: "passes",
      },
    ],
    prepare: loadSchemas,
    grade: ({ schema, learn_from: from }) => {
      if (schema === undefined) throw new TypeError(`its schema was not learned from ${from ?? "any batch"}`);
      return shapeGrade(schema);
    },
  }),
];

function shapeGrade(schema: JsonObject): (answer: Answer) => Score {
  const check = schemaCheck(schema);
  return ({ record }) => {
    const faults = check(withPlainNumbers(record?.output ?? {}));
    return verdict(faults.length === 0, false, faults.length === 0 ? "output has its shape" : faults.join("; "));
  };
}

/** The batch from which a scorer still has to learn its schema; null for all others. */
export function learnsFrom({ type, options }: ScorerSpec): string | null {
  const from = type === "shape" ? options["learn_from"] : undefined;
  return typeof from === "string" ? from : null;
}

/** The same scorer with the schema that these outputs have in common. */
export function withLearnedShape(spec: ScorerSpec, outputs: Iterable<JsonObject>): ScorerSpec {
  return { ...spec, options: { schema: learnShape(outputs) } };
}

/** The values seen at one place. */
interface Seen {
  count: number;
  types: Set<string>;
  members: Map<string, Seen>;
  entries: Seen | null;
}

/** Objects with more members than this, over all of them, are taken for maps whose names are data. */
const mostMembers = 200;

/**
 * A JSON Schema that all of these outputs fit: the types that occurred; required is what every one of them had (with
 * a value or null). Members that none of them had are allowed.
 */
function learnShape(outputs: Iterable<JsonObject>): JsonObject {
  const seen = newSeen();
  for (const output of outputs) look(seen, withPlainNumbers(output), 0);
  return schemaOf(seen);
}

function newSeen(): Seen {
  return { count: 0, types: new Set(), members: new Map(), entries: null };
}

/** Values nested deeper are not looked at: the schema would not fit anywhere. */
const deepest = 20;

function look(seen: Seen, value: JsonValue, depth: number): void {
  seen.count++;
  seen.types.add(typeOf(value));
  if (depth >= deepest) return;
  if (Array.isArray(value)) {
    seen.entries ??= newSeen();
    for (const entry of value) look(seen.entries, entry, depth + 1);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const known = seen.members.get(name) ?? (seen.members.size <= mostMembers ? newSeen() : null);
      if (known === null) continue;
      seen.members.set(name, known);
      look(known, member, depth + 1);
    }
  }
}

function schemaOf({ count, types, members, entries }: Seen): JsonObject {
  const type = Array.from(types).toSorted();
  const schema: JsonObject = type.length === 0 ? {} : { type: type.length === 1 ? (type[0] ?? null) : type };
  if (entries !== null && entries.count > 0) schema["items"] = schemaOf(entries);
  const named = Array.from(members).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (named.length === 0 || named.length > mostMembers) return schema;
  // An object beside other types is counted with them, so that nothing of it is required then.
  const required = types.size === 1 ? named.flatMap(([name, member]) => (member.count === count ? [name] : [])) : [];
  schema["properties"] = Object.fromEntries(named.map(([name, member]) => [name, schemaOf(member)]));
  if (required.length > 0) schema["required"] = required;
  return schema;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
