import { isSecretName, isSecretText, isSecretValue, wordsOfName } from "../../api/http/secret.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";

const schemaTypes = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const isSchema = ({ type, ...more }: JsonObject): boolean =>
  (typeof type === "string" && schemaTypes.has(type)) || ["$ref", "anyOf", "oneOf", "enum"].some((key) => key in more);

/** True for a member that is a secret by its name or its value; objects are by those inside of them. */
function isSecret(name: string, value: JsonValue): boolean {
  if (typeof value === "string") return isSecretValue(name, value);
  if (typeof value === "number") return isSecretName(name);
  if (!isSecretName(name) || value === null || typeof value === "boolean") return false;
  if (Array.isArray(value)) return value.some((each) => isSecret(name, each));
  // A schema says what a secret is like.
  return !isSchema(value) && Object.values(value).some((each) => isSecret(name, each));
}

/** True for a header that a suite has by the name of a variable alone, and is refused with otherwise. */
export function isSecretHeader(name: string, text: string): boolean {
  if (isSecretText(text)) return true;
  return (isSecretName(name) || wordsOfName(name).at(-1) === "key") && !text.includes("${");
}

/** A body without its secrets, at any depth; `found` gets the path of each. Undefined: it is one itself. */
export function withoutSecretMembers(
  value: JsonValue,
  found: (path: string) => void,
  path = "",
): JsonValue | undefined {
  const [name = ""] = /[^.[\]]*$/.exec(path.replace(/(?:\[\d+\])+$/, "")) ?? [];
  if (isSecret(name, value)) {
    found(path);
    return undefined;
  }
  if (Array.isArray(value)) return value.flatMap((each, i) => withoutSecretMembers(each, found, `${path}[${i}]`) ?? []);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, each]): [string, JsonValue][] => {
    const kept = withoutSecretMembers(each, found, path === "" ? key : `${path}.${key}`);
    return kept === undefined ? [] : [[key, kept]];
  });
  return Object.fromEntries(members);
}

/** The user and the password of an address. */
const login = /^(\s*(?:[a-z][\w+.-]*:\/\/)?)[^\s/?#@]+(?:@[^\s/?#@]+)*@/i;

/** An address without its user and password. */
export const withoutLogin = (address: string): string => address.replace(login, "$1");

/** A text for people with nothing of an address that may be a secret: no login, no query; and no key. */
export const withoutSecretText = (text: string): string =>
  text
    .replaceAll(/\b((?:https?|wss?):\/\/)(?:[^\s/?#]*@)?([^\s?#]*)(?:[?#]\S*)?/gi, "$1$2")
    .replaceAll(/\bsk[-_][\w-]{8,}/g, "sk-...");
