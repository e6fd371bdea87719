import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { isConnectionHeader } from "../../suite/check/connection-check.ts";
import type { ConfigFolder } from "./folder.ts";
import type { LeftOut } from "./left-out.ts";
import type { Placed } from "./place.ts";
import { isSecretHeader, withoutSecretMembers } from "./secret.ts";

/** A provider as a deployment and a target of a suite. */
export interface AskedProvider {
  name: string;
  /** A chat completion, which can judge too; an endpoint that is described; or an echo, whose answers are known without asking. */
  kind: "chat" | "described" | "echo";
  /** A name for its deployment, such as that of the service. */
  service: string;
  /** Null: the target names one of its own. */
  deployment: JsonObject | null;
  target: JsonObject;
  /** The prompts that it is asked with, by their names. */
  prompts: string[] | null;
  /** Variables of the tests that its request has beside the prompt. */
  variables: string[];
  /** Code that changes its answers; null: none, or what it does is in the target. */
  transform: string | null;
}

/** A provider as promptfoo takes it: a text, `{id, config}`, or a name with its settings. */
export interface NamedProvider {
  id: string;
  label: string | null;
  config: Placed;
  prompts: string[] | null;
  transform: string | null;
  place: string;
}

/** Everything that providers are read with. */
export interface ProviderReading {
  folder: ConfigFolder;
  left: LeftOut;
  /** `env` of the configuration. */
  env: JsonObject;
}

/** `{{ env.NAME }}` as a variable of the environment. */
export const withVariables = (text: string): string => text.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, "${$1}");

/** The variable that holds a header's value. */
const headerVariable = (name: string): string =>
  name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");

/** The headers as a suite may have them: a secret by the name of a variable. */
export function headersIn(
  headers: JsonValue | undefined,
  named: NamedProvider,
  { left }: ProviderReading,
): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(isJsonObject(headers) ? headers : {})) {
    const place = named.config.member("headers").member(name).place;
    const text = withVariables(typeof value === "string" ? value : JSON.stringify(value));
    const kind = `the header ${name} of ${named.id}`;
    if (isConnectionHeader(name)) {
      // Chats and bodies are JSON; of a form, the endpoint has `form`.
      if (!/^(?:content-type|content-length|host|connection|keep-alive)$/i.test(name))
        left.note(kind, "the connection sets it itself", place);
    } else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name)) {
      left.note("a header of " + named.id, "its name is none that a header can have", place);
    } else if (text.includes("{{") || !/^[\t\x20-\x7e]*$/.test(text)) {
      left.note(kind, "a header has no variables of a test, and is plain ASCII; write it into `headers`", place);
    } else if (isSecretHeader(name, text)) {
      const variable = headerVariable(name);
      left.note(kind, `its value stands in the environment, ${variable}, never in the suite`, place);
      made[name] = `${/^(?:Bearer|Basic)\s/i.exec(text)?.[0] ?? ""}\${${variable}}`;
    } else made[name] = text;
  }
  return made;
}

/** A body without its secrets, which are named by their places. */
export function bodyWithoutSecrets(body: JsonValue, named: NamedProvider, { left }: ProviderReading): JsonValue {
  const { place } = named.config.member("body");
  const kept = withoutSecretMembers(body, (path) =>
    left.note(`\`${path}\` of the body of ${named.id}`, noSecret, place),
  );
  return kept ?? {};
}

/** The way out for a secret that no part of a suite but a header can take from the environment. */
export const noSecret =
  'it is a secret, and only a header takes one from the environment: `headers: { NAME: "${VARIABLE}" }`, if the service reads it there';
