import { isJsonObject, type JsonValue } from "../../lib/json.ts";

/** Names that a member with an answer often has, the likeliest first. */
const answerNames = ["answer", "reply", "response", "output", "text", "content", "message", "result", "completion"];
const idNames = new Set(["id", "run_id", "request_id", "trace_id", "message_id"]);

/** A text in a reply, with the JSONPath to it. */
interface Leaf {
  path: string;
  names: string[];
  text: string;
}

/** Where a reply may hold its answer and its id: JSONPaths; null: nothing there looks like one. */
export function placesIn(reply: JsonValue): { answer: string | null; id: string | null } {
  const leaves = leavesOf(reply, "$", []);
  const texts = leaves.filter(({ text, names }) => text.trim() !== "" && !idNames.has(names.at(-1) ?? ""));
  const [answer] = texts.toSorted((a, b) => rank(a) - rank(b) || b.text.length - a.text.length);
  const id = leaves.find(({ names }) => names.length === 1 && idNames.has(names[0] ?? ""));
  return { answer: answer?.path ?? null, id: id?.path ?? null };
}

/** The lower, the likelier: by the last of its names that is known. */
function rank({ names }: Leaf): number {
  const places = names.map((name) => answerNames.indexOf(name.toLowerCase())).filter((place) => place !== -1);
  return places.length === 0 ? answerNames.length : Math.min(...places);
}

/** Levels that are looked into, and entries of a list: an answer stands near the top. */
const deepest = 6;
const mostEntries = 3;

function leavesOf(value: JsonValue, path: string, names: string[]): Leaf[] {
  if (typeof value === "string") return [{ path, names, text: value }];
  if (names.length >= deepest) return [];
  if (Array.isArray(value)) {
    return value.slice(0, mostEntries).flatMap((entry, index) => leavesOf(entry, `${path}[${index}]`, names));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const step = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    return leavesOf(inner, path + step, [...names, name]);
  });
}
