import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { valueText } from "../../text/value-text.ts";

/** The error that a reply or a chunk tells; undefined where its member is absent, or stands there without saying anything. */
export function toldError(reply: JsonObject): string | JsonObject | undefined {
  const { error } = reply;
  if (typeof error === "string" && error !== "") return error;
  if (isJsonObject(error) && Object.keys(error).length > 0) return error;
  if (Array.isArray(error) && error.length > 0) return error.map((each) => valueText(each) ?? "").join("; ");
  // Some say that it is one in another member: `{"object": "error", "message": ...}`, `{"error": true, "message": ...}`.
  const isError = error === true || (error === undefined && [reply["type"], reply["object"]].includes("error"));
  const { message } = reply;
  return isError && typeof message === "string" && message !== "" ? message : undefined;
}

/** Reasons for which a choice ends because something failed. */
const isFailedEnd =
  /^(?:error|\w+_error|error_\w+|failed|failure|exception|abort|aborted|interrupted|cancell?ed|time_?out|timed_out|insufficient_system_resource|malformed_\w+)$/i;

/** The error of a choice, in one piece or as a chunk of a stream: its own words, or the reason for which it ended; null: none. */
export function choiceFailure(choice: JsonObject): string | null {
  const parts = [choice, choice["message"], choice["delta"]].filter(isJsonObject);
  const told = parts.map(chatErrorText).find((words) => words !== null);
  const error = parts.map(toldError).find((each) => each !== undefined);
  if (error !== undefined) return told ?? JSON.stringify(error);
  const { finish_reason: reason } = choice;
  return typeof reason === "string" && isFailedEnd.test(reason)
    ? `the answer ended with finish_reason: ${reason}`
    : null;
}

/** `{error: {message, type, param, code}}`: the message with its code; null for another form. */
export function chatErrorText(json: JsonValue | undefined): string | null {
  const error = isJsonObject(json) ? toldError(json) : undefined;
  if (error === undefined || typeof error === "string") return error ?? null;
  if (typeof error["message"] !== "string") return null;
  const code = error["code"] ?? error["type"];
  return typeof code === "string" || typeof code === "number" ? `${error["message"]} (${code})` : error["message"];
}
