import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";

/** The error that a reply or a chunk tells; undefined where its member is absent, or stands there without saying anything. */
export function toldError({ error }: JsonObject): string | JsonObject | undefined {
  if (typeof error === "string" && error !== "") return error;
  return isJsonObject(error) && Object.keys(error).length > 0 ? error : undefined;
}

/** `{error: {message, type, param, code}}`: the message with its code; null for another form. */
export function chatErrorText(json: JsonValue | undefined): string | null {
  const error = isJsonObject(json) ? toldError(json) : undefined;
  if (error === undefined || typeof error === "string") return error ?? null;
  if (typeof error["message"] !== "string") return null;
  const code = error["code"] ?? error["type"];
  return typeof code === "string" ? `${error["message"]} (${code})` : error["message"];
}
