import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Names of members that say why there is no answer, the most telling first; spelled without case and marks. */
const reasonNames = [
  "error",
  "errors",
  "errormessage",
  "errordescription",
  "refusal",
  "blockreason",
  "detail",
  "details",
  "message",
  "msg",
  "faultstring",
  "reason",
  "title",
  "description",
  "err",
  "statusmessage",
  "finishreason",
  "stopreason",
  "reasoningcontent",
  "reasoning",
  "thinking",
];

/** Levels that are looked into, and entries of a list: a reason stands near the top. */
const deepest = 7;
const mostEntries = 3;
const mostCharacters = 400;

/** Words after which an answer is whole: they are no reason. */
const isUsualEnd = /^(?:stop|end_?turn|ok|success|null|none)$/i;

/** The words of a reply that say why it has no answer, after the name of their member; null: there are none. */
export function toldReason(reply: JsonValue | undefined): string | null {
  const found = reasonsIn(reply, 0).toSorted((a, b) => a.rank - b.rank || a.depth - b.depth);
  const [first] = found;
  return first === undefined ? null : `${first.name}: ${shortened(first.text)}`;
}

interface Reason {
  name: string;
  text: string;
  rank: number;
  depth: number;
}

function reasonsIn(value: JsonValue | undefined, depth: number): Reason[] {
  if (depth >= deepest) return [];
  if (Array.isArray(value)) return value.slice(0, mostEntries).flatMap((entry) => reasonsIn(entry, depth + 1));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const rank = reasonNames.indexOf(name.toLowerCase().replaceAll(/[^a-z]/g, ""));
    const text = rank === -1 ? null : wordsOf(inner);
    return text === null ? reasonsIn(inner, depth + 1) : [{ name, text, rank, depth }];
  });
}

/** A text that says something, or what an object of an error says. */
function wordsOf(value: JsonValue): string | null {
  if (typeof value === "string") return value.trim() === "" || isUsualEnd.test(value.trim()) ? null : value;
  if (Array.isArray(value)) return value.map(wordsOf).find((words) => words !== null) ?? null;
  return isJsonObject(value) ? wordsOfError(value) : null;
}

function wordsOfError(error: JsonObject): string | null {
  const named = ["message", "detail", "error", "reason", "msg"].map((name) => error[name]);
  const said = named.find((value) => typeof value === "string" && value.trim() !== "");
  if (typeof said !== "string") return null;
  const code = error["code"] ?? error["type"];
  return typeof code === "string" || typeof code === "number" ? `${said} (${code})` : said;
}

const shortened = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);
