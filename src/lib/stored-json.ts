import type { z } from "zod";
import { AppError } from "../errors.ts";
import { boundedJson, isJsonObject, type JsonObject } from "./json.ts";
import { showText } from "./show.ts";
import { storedVersion, versionFault } from "./stored-version.ts";

/**
 * The value of a JSON text out of a database, which anybody may have made. Throws DATABASE_INVALID for a text that is no
 * JSON, is nested too deeply, or is not of the shape that `isOne` tells.
 */
export function storedJson<Value>(text: string, what: string, isOne: (value: unknown) => value is Value): Value {
  let value: unknown;
  try {
    value = boundedJson(text);
  } catch (error) {
    throw notOurs(what, text, error);
  }
  if (!isOne(value)) throw notOurs(what, text);
  return value;
}

/** The same for a shape that tells its type. */
export const storedShape = <Value>(text: string, what: string, shape: z.ZodType<Value>): Value =>
  storedJson(text, what, (value): value is Value => shape.safeParse(value).success);

/** The same for an object of any members. */
export const storedObject = (text: string, what: string): JsonObject => storedJson(text, what, isJsonObject);

/** The refusal of something that a stranger put into a database. */
export function notOurs(what: string, text: string, cause: unknown = null): AppError {
  const reason = cause instanceof Error ? ` (${showText(cause.message)})` : "";
  return new AppError(
    "DATABASE_INVALID",
    `The database holds ${what} that tandem did not write: ${showText(text)}${reason}.`,
    {
      hint: "Somebody has changed it. Take the file as tandem left it, or choose another folder with --results.",
      cause,
    },
  );
}

/** Throws OTHER_VERSION for what another version of tandem stored: nothing of an unreleased one is read. */
export function requireVersion(found: number, what: string): void {
  const fault = versionFault(found);
  if (fault === null) return;
  throw new AppError("OTHER_VERSION", `${what} ${fault}.`, {
    hint:
      found < storedVersion
        ? "Run into another folder with --results: what an unreleased tandem stored is not read."
        : "Use the tandem that wrote it, or another --results folder.",
  });
}
