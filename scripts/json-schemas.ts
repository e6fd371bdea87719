import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { isJsonObject, type JsonObject, type JsonValue } from "../src/lib/json.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The JSON Schemas that are made of types, with their comments. */
export interface PublishedSchemas {
  /** Each member of `JsonOutputs`: the types by which the commands print. */
  outputs: Record<string, JsonObject>;
  /** `report.json`. Members that it does not know are allowed: later versions may add some. */
  report: JsonObject;
}

export function publishedSchemas(): PublishedSchemas {
  const outputsFile = `${root}src/cli/json-outputs.ts`;
  const reportFile = `${root}src/report/formats/json/report-json.ts`;
  const read = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(`${root}tsconfig.json`));
  const program = ts.createProgram([outputsFile, reportFile], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const outputs = declarationOf(program, outputsFile, "JsonOutputs");
  const members = checker.getTypeAtLocation(outputs).getProperties();
  const report = declarationOf(program, reportFile, "ReportJson");
  return {
    outputs: Object.fromEntries(
      members.map((member) => {
        const type = checker.getTypeOfSymbolAtLocation(member, outputs);
        return [member.name, new SchemaOfType(checker, outputs).ofMember(member, type)];
      }),
    ),
    report: opened(new SchemaOfType(checker, report).ofDeclared(checker.getTypeAtLocation(report), "tandem report")),
  };
}

type Declared = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

function declarationOf(program: ts.Program, file: string, name: string): Declared {
  const found = program
    .getSourceFile(file)
    ?.statements.find(
      (each): each is Declared =>
        (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) && each.name.text === name,
    );
  if (found === undefined) throw new Error(`${relative(root, file)} has no type ${name}`);
  return found;
}

/** A schema that lets members stand that it does not know. */
function opened(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).filter(([name, value]) => name !== "additionalProperties" || value !== false);
  return Object.fromEntries(entries.map(([name, value]) => [name, openedValue(value)]));
}

function openedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(openedValue);
  return isJsonObject(value) ? opened(value) : value;
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

  ofMember(member: ts.Symbol, type: ts.Type): JsonObject {
    return this.#whole(`tandem: JSON of ${member.name}`, this.#about(member), this.#of(type));
  }

  ofDeclared(type: ts.Type, title: string): JsonObject {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    return this.#whole(title, symbol === undefined ? {} : this.#about(symbol), this.#ofObject(type));
  }

  #whole(title: string, about: JsonObject, schema: JsonObject): JsonObject {
    const defs = Array.from(this.#defs, ([name, each]) => [name, each.schema] as const).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    );
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title,
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
      const schema = this.#ofObject(type);
      entry.schema = symbol === undefined ? schema : { ...this.#about(symbol), ...this.#narrowed(schema, symbol) };
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
    for (const member of inOrder(this.#checker.getPropertiesOfType(type))) {
      const inner = this.#checker.getTypeOfSymbolAtLocation(member, this.#at);
      properties[member.name] = { ...this.#narrowed(this.#of(inner), member), ...this.#about(member) };
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

  /** A schema with what `Integer` and the tags of a comment, of a member or of a type with a name, say that the type cannot. */
  #narrowed(schema: JsonObject, member: ts.Symbol): JsonObject {
    let narrow = (member.getDeclarations() ?? []).some(saysInteger) ? wholeNumbers(schema) : schema;
    for (const { name, text } of member.getJsDocTags(this.#checker)) {
      const value = ts.displayPartsToString(text).trim();
      if (name === "asType" && value === "integer") narrow = wholeNumbers(narrow);
      else if (name === "format" && value !== "") narrow = { ...narrow, format: value };
      else throw new Error(`the comment of ${member.name} has a tag that no schema is made of: @${name} ${value}`);
    }
    return narrow;
  }

  #about(symbol: ts.Symbol): { description?: string } {
    const [declared] = symbol.getDeclarations() ?? [];
    const comment = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
    const text = (aboutInRow(declared) ?? comment).replaceAll(/\s+/g, " ").trim();
    return text === "" ? {} : { description: text };
  }
}

/** True where the numbers of a member are written as `Integer`, which the compiler takes for any number. Members within it speak for themselves. */
function saysInteger(declared: ts.Node): boolean {
  const type = ts.isPropertySignature(declared) || ts.isTypeAliasDeclaration(declared) ? declared.type : declared;
  if (type === undefined || ts.isTypeLiteralNode(type)) return false;
  if (ts.isTypeReferenceNode(type) && type.typeName.getText() === "Integer") return true;
  return ts.isTypeNode(type) && (ts.forEachChild(type, (part) => saysInteger(part) || undefined) ?? false);
}

/** The text of `about`, where a member is a row of a list of columns. */
function aboutInRow(declared: ts.Declaration | undefined): string | null {
  if (declared === undefined || !ts.isPropertyAssignment(declared)) return null;
  if (!ts.isObjectLiteralExpression(declared.initializer)) return null;
  const about = declared.initializer.properties.find((each) => each.name?.getText() === "about");
  if (about === undefined || !ts.isPropertyAssignment(about)) return null;
  return ts.isStringLiteral(about.initializer) ? about.initializer.text : null;
}

/** Members as they are declared: `Pick` and `Omit` give them in the order in which the compiler met their names. */
function inOrder(members: readonly ts.Symbol[]): ts.Symbol[] {
  const groups = Map.groupBy(members, ({ declarations }) => declarations?.[0]?.parent);
  return [...groups.values()].flatMap((group) => group.toSorted((one, other) => place(one) - place(other)));
}

const place = ({ declarations }: ts.Symbol): number => declarations?.[0]?.pos ?? 0;

/** A schema whose numbers are whole, but for those of types with a name. */
function wholeNumbers(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, name === "type" ? wholeType(value) : wholeValue(value)]),
  );
}

function wholeValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(wholeValue);
  return isJsonObject(value) ? wholeNumbers(value) : value;
}

/** The value of `type`; of a member with this name it is a schema. */
function wholeType(type: JsonValue): JsonValue {
  if (Array.isArray(type)) return type.map(wholeType);
  return type === "number" ? "integer" : wholeValue(type);
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
