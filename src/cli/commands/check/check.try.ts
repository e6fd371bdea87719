import { stringify } from "yaml";
import { type FirstCall, makeFirstCall } from "../../../app/doctor/first-call.ts";
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
  { name, url, model, body, ask, isTalkedTo = false }: FirstCallFlags,
  terminal: Terminal,
): Promise<FirstCall> {
  return makeFirstCall({
    name,
    url,
    isTalkedTo,
    model: model ?? null,
    body: bodyOf(body),
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
