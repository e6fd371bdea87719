import { stringify } from "yaml";
import { type FirstCall, makeFirstCall } from "../../../app/doctor/first-call.ts";
import { fieldsOfBody } from "../../../app/doctor/first-suite.ts";
import { isSecretName, isSecretText } from "../../../api/http/secret.ts";
import { showText } from "../../../lib/show.ts";
import { AppError, exitCodes } from "../../../errors.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { openAccess } from "../../access.ts";
import { reachLines } from "../../progress/reach.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { firstCallText, suiteLines } from "./check.text.ts";
import type { JsonData } from "../../json-outputs.ts";

/** The flags that say what is tried. */
export interface FirstCallFlags {
  /** Its name in a suite; left out: as `firstParts` names it. */
  name?: string | undefined;
  /** Its address. */
  url: string;
  model?: string | undefined;
  body?: string | undefined;
  /** Headers as typed, `Name: value`. */
  "http-header"?: readonly string[] | undefined;
  /** The prompt. */
  ask: string;
  /** It will be sent the turns of conversations. */
  isTalkedTo?: boolean;
}

/** Makes one call to an endpoint and prints what came back, with the lines of a suite that ask it so; 3 when it gave no answer. */
export async function tryEndpoint(flags: FirstCallFlags, terminal: Terminal): Promise<CommandResult> {
  const made = await firstCall(flags, terminal);
  const { parts, ...call } = made;
  const suite = stringify(parts, { lineWidth: 0 });
  const data = { ...call, suite } satisfies JsonData["check"];
  const text = [firstCallText(made), "", suiteLines(made, suite)].join("\n");
  return { data, text, exit: made.answer === null ? exitCodes.couldNotRun.code : exitCodes.ok.code };
}

/** Makes one call to an endpoint, and says before to whom a key is sent. */
export function firstCall(
  { name, url, model, body, "http-header": header, ask, isTalkedTo = false }: FirstCallFlags,
  terminal: Terminal,
): Promise<FirstCall> {
  return makeFirstCall({
    name,
    url,
    isTalkedTo,
    model: model ?? null,
    body: bodyOf(body),
    headers: headersOf(header),
    prompt: ask,
    env: process.env,
    open: async (deployment) => {
      const { access, close } = await openAccess([deployment], process.env);
      const own = access.get(deployment.name);
      if (own === undefined) throw new Error("the deployment has no address");
      for (const line of reachLines([deployment], null, process.env)) terminal.note(line);
      return { access: own, close };
    },
  });
}

/** The body of `--body`; null: it is not given. Throws USAGE. */
export function bodyOf(text: string | undefined): JsonValue {
  if (text === undefined) return null;
  const body = parsedBody(text);
  const unknown = [...fieldsOfBody(body)].find((field) => !fieldsOfCall.has(field));
  if (unknown === undefined) return body;
  throw new AppError("USAGE", `--body uses {{ ${unknown} }}, and a first call has no such field.`, {
    hint: "Write {{ input_prompt }} where the question goes, whatever its column is called. Other columns are put into the body in the suite, by case.input.",
  });
}

/** The fields that a body may use before a suite maps others. */
const fieldsOfCall = new Set(["input_prompt", "messages", "conversation"]);

function parsedBody(text: string): JsonValue {
  try {
    const body: JsonValue = JSON.parse(text);
    return body;
  } catch (cause) {
    throw new AppError("USAGE", `--body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      hint: `For example: --body '{"q": "{{ input_prompt }}"}'`,
      cause,
    });
  }
}

/** True for a header with a key as it stands: nothing of it, or not all, comes from the environment. */
function isKeyWritten(name: string, value: string): boolean {
  if (!isSecretName(name) && !/key$/i.test(name) && !isSecretText(value)) return false;
  const rest = value.replaceAll(/\$\{\w+\}/g, "");
  if (rest === value) return true;
  // A scheme before it, as in Bearer, and names of cookies are no secret.
  return /\w{6}/.test(rest.replace(/^[A-Za-z]+\s/, "").replaceAll(/[\w-]+=/g, ""));
}

/** The headers of `-H`. Throws USAGE for one without a name or a value, and for a key that would be written into a suite. */
export function headersOf(texts: readonly string[] = []): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of texts) {
    const [, name, value] = /^([^:\s]+)\s*:\s*(\S.*)$/su.exec(text.trim()) ?? [];
    if (name === undefined || value === undefined)
      throw new AppError("USAGE", `-H takes 'Name: value'; got ${text.includes(":") ? "no value" : "no colon"}.`, {
        hint: "For example: -H 'X-Api-Key: ${MY_KEY}', in single quotes, with the key in the environment or in .env.",
      });
    if (isKeyWritten(name, value))
      throw new AppError(
        "USAGE",
        `-H ${showText(name)} holds a value that may be a key, and a suite never holds one.`,
        {
          hint: `Put it into the environment or .env, and write -H '${name}: \${MY_KEY}' in single quotes.`,
        },
      );
    headers[name] = value;
  }
  return headers;
}
