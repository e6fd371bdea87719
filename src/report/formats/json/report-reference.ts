import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";

/** The reference of `report.json`, as Markdown: every member with its type and meaning. */
export function reportReference(schema: JsonObject): string {
  return [
    "# report.json",
    "",
    "Written by `npm run generate` from `src/report/formats/json/report-json.ts` and the types that it names; do not edit.",
    "",
    "A run writes `report.json` into the folder of its batch (suite key `reports`), and `tandem report -o result.json`",
    "writes it again from the database. It is one JSON object whose size does not depend on the number of cases, with the",
    "same numbers as every other report; [report.schema.json](report.schema.json) is its JSON Schema. Shares and rates are",
    "between 0 and 1, times are milliseconds, and null is something that is not known. Every row is in `comparison.csv`",
    "and `runs.csv`.",
    "",
    "`version` goes up when a member changes its meaning or goes away. New members may appear at any time.",
    "",
    "What `--json` prints is another form, for scripts that start a run: see [json.md](json.md).",
    "",
    "| Member | Type | Meaning |",
    "|---|---|---|",
    ...new Members(schema)
      .of(schema, "")
      .map(({ path, type, about }) => `| \`${path}\` | ${cell(type)} | ${cell(about)} |`),
    "",
  ].join("\n");
}

interface MemberRow {
  path: string;
  type: string;
  about: string;
}

/** Reads the members of a schema, those of its named types where they are used. */
class Members {
  readonly #named: JsonObject;

  constructor({ $defs }: JsonObject) {
    this.#named = isJsonObject($defs) ? $defs : {};
  }

  of(schema: JsonObject, prefix: string): MemberRow[] {
    const { properties } = schema;
    if (!isJsonObject(properties)) return [];
    return Object.entries(properties).flatMap(([name, member]) => {
      if (!isJsonObject(member)) return [];
      const { description } = member;
      // Those of a map are its keys, which its own meaning explains.
      if (typeof description !== "string") return [];
      return [
        { path: prefix + name, type: this.#typeOf(member), about: description },
        ...this.#inside(member, prefix + name),
      ];
    });
  }

  #inside(member: JsonObject, path: string): MemberRow[] {
    const kind = this.#present(member);
    const { items } = kind;
    if (isJsonObject(items)) return this.of(this.#present(items), `${path}[].`);
    return this.of(kind, `${path}.`);
  }

  /** The schema of a member when it is not null. */
  #present(schema: JsonObject): JsonObject {
    const { anyOf } = schema;
    const found = Array.isArray(anyOf) ? anyOf.find((each) => isJsonObject(each) && each["type"] !== "null") : schema;
    return this.#resolved(isJsonObject(found) ? found : schema);
  }

  #resolved(schema: JsonObject): JsonObject {
    const { $ref } = schema;
    const named = typeof $ref === "string" ? this.#named[$ref.replace("#/$defs/", "")] : undefined;
    return isJsonObject(named) ? named : schema;
  }

  #typeOf(given: JsonValue): string {
    if (!isJsonObject(given)) return "any";
    const { type, anyOf, enum: values, const: only, items } = this.#resolved(given);
    if (Array.isArray(anyOf)) return wordsOf(anyOf.map((each) => this.#typeOf(each)));
    if (Array.isArray(values)) return valuesWord(values);
    if (only !== undefined) return JSON.stringify(only);
    if (Array.isArray(type)) return wordsOf(type.map((each) => this.#typeOf({ type: each })));
    if (type === "array") return `list of ${this.#typeOf(items ?? null)}`;
    if (type === "object") return "map";
    if (type === "integer") return "whole number";
    if (type === "boolean") return "true or false";
    return type === "string" ? "text" : typeof type === "string" ? type : "any";
  }
}

/** Types in words, null behind the others. */
function wordsOf(types: string[]): string {
  return [...types.filter((type) => type !== "null"), ...types.filter((type) => type === "null")].join(" or ");
}

function valuesWord(values: readonly JsonValue[]): string {
  const others = values.filter((value) => value !== null).map(String);
  return wordsOf([others.join(", "), ...(others.length < values.length ? ["null"] : [])]);
}

function cell(text: string): string {
  return text
    .replaceAll("|", String.raw`\|`)
    .replaceAll("<", "&lt;")
    .replaceAll("\n", " ");
}
