import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { RunExtras } from "../shape/model.ts";

/** Greatest number of references or log entries that are told. */
const mostEntries = 50;
/** A snippet or a log message is cut after so many characters: the run's page has all of it. */
const longestText = 2000;

/** The parts of an output beside the answer; empty ones are left out, and null when there are none. */
export function runExtras(output: JsonObject): RunExtras | null {
  const references = list(output["references"]).filter(isJsonObject);
  const logs = list(output["logs"]).filter(isJsonObject);
  const finish = texts(output["finish_reason"]);
  const leftOut = Math.max(0, references.length - mostEntries) + Math.max(0, logs.length - mostEntries);
  const extras: RunExtras = {
    ...some("references", references.slice(0, mostEntries).map(referenceOf)),
    ...some("audio", texts(output["output_audio"])),
    ...some("video", texts(output["output_video"])),
    ...some("documents", texts(output["output_documents"])),
    ...some(
      "buttons",
      list(output["reply_buttons"])
        .filter(isJsonObject)
        .flatMap(({ title }) => texts(title)),
    ),
    ...some("logs", logs.slice(0, mostEntries).map(logOf)),
    ...(finish.length === 0 ? {} : { finishReason: finish.join(", ") }),
    ...named("searchQuery", output["final_search_query"]),
    ...named("functionError", output["error"]),
    ...(leftOut === 0 ? {} : { leftOut }),
  };
  return Object.keys(extras).length === 0 ? null : extras;
}

function some<Name extends keyof RunExtras, Entry>(name: Name, entries: Entry[]): { [key in Name]?: Entry[] } {
  const found: { [key in Name]?: Entry[] } = {};
  if (entries.length > 0) found[name] = entries;
  return found;
}

function named<Name extends keyof RunExtras>(name: Name, value: JsonValue | undefined): { [key in Name]?: string } {
  const found: { [key in Name]?: string } = {};
  const isNothing = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
  const text = isNothing ? "" : cut(typeof value === "string" ? value : JSON.stringify(value));
  if (text !== "") found[name] = text;
  return found;
}

function referenceOf({ url, title, snippet, score }: JsonObject): NonNullable<RunExtras["references"]>[number] {
  return {
    url: typeof url === "string" ? url : "",
    title: typeof title === "string" && title !== "" ? title : null,
    snippet: typeof snippet === "string" && snippet !== "" ? cut(snippet) : null,
    score: typeof score === "number" ? score : null,
  };
}

function logOf({ level, message }: JsonObject): { level: string; message: string } {
  return { level: typeof level === "string" ? level : "log", message: typeof message === "string" ? cut(message) : "" };
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or those of a list. */
function texts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string" && each !== "").map(String);
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
