import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { JsonObject, JsonValue } from "../src/lib/json.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The JSON Schema of each member of `JsonOutputs`, made of the types by which the commands print. */
export function outputSchemas(): Record<string, JsonObject> {
  const file = `${root}src/cli/json-outputs.ts`;
  const read = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(`${root}tsconfig.json`));
  const program = ts.createProgram([file], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const outputs = source?.statements.find(
    (each): each is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(each) && each.name.text === "JsonOutputs",
  );
  if (outputs === undefined) throw new Error(`${relative(root, file)} has no interface JsonOutputs`);
  const members = checker.getTypeAtLocation(outputs).getProperties();
  return Object.fromEntries(
    members.map((member) => {
      const type = checker.getTypeOfSymbolAtLocation(member, outputs);
      return [member.name, new SchemaOfType(checker, outputs).whole(member, type)];
    }),
  );
}

/** Turns types into JSON Schema. What has a name of ours stands once, under `$defs`. */
class SchemaOfType {
  readonly #checker: ts.TypeChecker;
  readonly #at: ts.Node;
  readonly #defs = new Map<string, { type: ts.Type; schema: JsonObject }>();

  constructor(checker: ts.TypeChecker, at: ts.Node) {
    this.#checker = checker;
    this.#at = at;
  }

  whole(member: ts.Symbol, type: ts.Type): JsonObject {
    const about = this.#about(member);
    const schema = this.#of(type);
    const defs = Array.from(this.#defs, ([name, each]) => [name, each.schema] as const).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    );
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: `tandem: JSON of ${member.name}`,
      ...about,
      ...schema,
      $defs: Object.fromEntries(defs),
    };
  }

  #of(type: ts.Type): JsonObject {
    const simple = simpleSchema(type);
    if (simple !== null) return simple;
    const name = ownName(type);
    if (name === "JsonValue") return {};
    if (name === "JsonObject") return { type: "object" };
    if (type.isUnion()) return this.#ofUnion(type);
    if (this.#checker.isTupleType(type)) return this.#ofTuple(type);
    if (this.#checker.isArrayType(type)) {
      const [item = null] = this.#argumentsOf(type);
      return { type: "array", items: item === null ? {} : this.#of(item) };
    }
    if (name === null) return this.#ofObject(type);
    return { $ref: `#/$defs/${this.#define(name, type)}` };
  }

  /** The name under which a type stands; two types of one name, such as those of a generic one, are told apart. */
  #define(name: string, type: ts.Type): string {
    for (let number = 1; ; number++) {
      const key = number === 1 ? name : `${name}${number}`;
      const known = this.#defs.get(key);
      if (known?.type === type) return key;
      if (known !== undefined) continue;
      // It may hold itself.
      const entry = { type, schema: {} };
      this.#defs.set(key, entry);
      const symbol = type.aliasSymbol ?? type.getSymbol();
      entry.schema = { ...(symbol === undefined ? {} : this.#about(symbol)), ...this.#ofObject(type) };
      return key;
    }
  }

  #ofUnion(type: ts.UnionType): JsonObject {
    const parts = type.types.filter((each) => (each.flags & ts.TypeFlags.Undefined) === 0);
    const words = parts.flatMap((each) => (each.isStringLiteral() || each.isNumberLiteral() ? [each.value] : []));
    const others = parts.filter((each) => !each.isStringLiteral() && !each.isNumberLiteral());
    const isBoolean = others.filter((each) => (each.flags & ts.TypeFlags.BooleanLiteral) !== 0).length === 2;
    const left = isBoolean ? others.filter((each) => (each.flags & ts.TypeFlags.BooleanLiteral) === 0) : others;
    const schemas: JsonObject[] = [
      ...(words.length > 0 ? [{ enum: words.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)) }] : []),
      ...(isBoolean ? [{ type: "boolean" }] : []),
      ...left.map((each) => this.#of(each)),
    ];
    const [only] = schemas;
    return schemas.length === 1 && only !== undefined ? only : joined(schemas);
  }

  #ofTuple(type: ts.Type): JsonObject {
    const items = this.#argumentsOf(type).map((each) => this.#of(each));
    return { type: "array", prefixItems: items, minItems: items.length, maxItems: items.length };
  }

  #argumentsOf(type: ts.Type): readonly ts.Type[] {
    return isReference(type) ? this.#checker.getTypeArguments(type) : [];
  }

  #ofObject(type: ts.Type): JsonObject {
    const properties: Record<string, JsonValue> = {};
    const required: string[] = [];
    for (const member of this.#checker.getPropertiesOfType(type)) {
      const inner = this.#checker.getTypeOfSymbolAtLocation(member, this.#at);
      properties[member.name] = { ...this.#of(inner), ...this.#about(member) };
      if ((member.flags & ts.SymbolFlags.Optional) === 0) required.push(member.name);
    }
    const index = this.#checker.getIndexInfoOfType(type, ts.IndexKind.String);
    return {
      type: "object",
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: index === undefined ? false : this.#of(index.type),
    };
  }

  #about(symbol: ts.Symbol): { description?: string } {
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).replaceAll(/\s+/g, " ").trim();
    return text === "" ? {} : { description: text };
  }
}

/** A type or null is two types in one word. */
function joined(schemas: JsonObject[]): JsonObject {
  // The order of a union is that in which the compiler met its types: another file would change it.
  const sorted = schemas.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const [first, second] = schemas;
  const plain = schemas.every((each) => Object.keys(each).join("") === "type");
  if (plain) return { type: sorted.map(({ type }) => type ?? null) };
  const values = first?.["enum"];
  if (schemas.length === 2 && Array.isArray(values) && second?.["type"] === "null") return { enum: [...values, null] };
  return { anyOf: sorted };
}

function simpleSchema(type: ts.Type): JsonObject | null {
  const { flags } = type;
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if ((flags & ts.TypeFlags.BooleanLiteral) !== 0) return { const: isTrue(type) };
  if ((flags & ts.TypeFlags.Boolean) !== 0) return { type: "boolean" };
  // A pattern of a text, such as `${number}`, is a text.
  if ((flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) !== 0) return { type: "string" };
  if ((flags & ts.TypeFlags.Number) !== 0) return { type: "number" };
  if ((flags & ts.TypeFlags.Null) !== 0) return { type: "null" };
  return (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) === 0 ? null : {};
}

const isReference = (type: ts.Type): type is ts.TypeReference => "target" in type;
const isTrue = (type: ts.Type): boolean => "intrinsicName" in type && type.intrinsicName === "true";

/** The name that our own code gave a type; null for one that is written in place, and for `Omit` and the like. */
function ownName(type: ts.Type): string | null {
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const [declared] = symbol?.getDeclarations() ?? [];
  if (symbol === undefined || declared === undefined || symbol.name.startsWith("__")) return null;
  return declared.getSourceFile().fileName.startsWith(`${root}src/`) ? symbol.name : null;
}
