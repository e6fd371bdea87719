import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isSecretName, isSecretText, wordsOfName } from "../../api/http/secret.ts";
import { hashText } from "../../lib/hash.ts";
import { boundedJson, canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { namesItself } from "../../lib/self-names.ts";
import type { Told, ToldAnswer, ToldValue } from "../../store/nights/provider-told.ts";

/** Collects what the answers of one target tell of the service that gives them. */
export interface ToldTally {
  add: (answer: Pick<ToldAnswer, "body" | "headers">) => void;
  told: () => Told;
}

/** More values than these are none of a service: they differ from answer to answer. */
const mostValues = 4;
/** A service that answers by turns with several values is told from an answer that varies by so many answers for each. */
const answersForEach = 3;
/** With fewer answers a member that is the same in all of them may be a part of the answer. */
const fewestForEcho = 10;
const mostMembers = 200;
const longestText = 80;
const longestName = 100;

interface MemberTally {
  answers: number;
  /** It is no name of a model or a version, but of the configuration. */
  isEcho: boolean;
  /** By their JSON; null: they are too many. */
  values: Map<string, ToldValue> | null;
}

/** `sent`: members that the cases send, which are no words of the service of itself. */
export function toldTally(endpoint: EndpointName, sent: ReadonlySet<string>): ToldTally {
  const { echoes, isOfAnswer } = endpointOf(endpoint);
  const members = new Map<string, MemberTally>();
  let answers = 0;

  const see = (name: string, value: JsonValue, isEcho: boolean): void => {
    const known = members.get(name);
    if (known === undefined && (members.size >= mostMembers || name.length > longestName)) return;
    const tally = known ?? { answers: 0, isEcho, values: new Map<string, ToldValue>() };
    members.set(name, tally);
    tally.answers += 1;
    if (tally.values === null) return;
    const text = canonicalJson(value);
    if (tally.values.has(text)) return;
    tally.values.set(text, { hash: hashText(text, 16), text: isSecretName(name) ? null : shownText(value) });
    if (tally.values.size > (isEcho ? 1 : mostValues)) tally.values = null;
  };
  const seeNamed = (path: string, object: JsonObject): void => {
    for (const [name, value] of Object.entries(object))
      if (namesItself(name) && plainText(value) !== null && isOfAnswer?.(`${path}${name}`) !== true)
        see(`${path}${name}`, value, false);
  };
  const seeOutput = (output: JsonObject): void => {
    for (const [name, value] of Object.entries(output)) {
      const isEcho = !namesItself(name);
      const isOwn = !sent.has(name) && echoes?.(name) === true && !isNoValue(value);
      if (isOwn && !(isEcho && isMoment(name, value))) see(name, value, isEcho);
    }
  };

  return {
    add({ body, headers }) {
      answers += 1;
      const reply = objectIn(body);
      seeNamed("", reply);
      for (const [name, value] of Object.entries(reply)) {
        if (!isJsonObject(value)) continue;
        if (name === "output" && echoes !== null) seeOutput(value);
        else seeNamed(`${name}.`, value);
      }
      for (const [name, value] of Object.entries(objectIn(headers))) see(`header ${name}`, value, false);
    },
    told: () =>
      Object.fromEntries(
        Array.from(members).flatMap(([name, { answers: own, isEcho, values }]) => {
          const counts = values !== null && own === answers && answers >= (isEcho ? fewestForEcho : 1);
          const isSeveral = counts && values.size > 1;
          return !counts || (isSeveral && answers < answersForEach * values.size)
            ? []
            : [[name, [...values.values()].toSorted(byHash)] as const];
        }),
      ),
  };
}

const byHash = (one: ToldValue, other: ToldValue): number => (one.hash < other.hash ? -1 : 1);

const isNoValue = (value: JsonValue): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

const moments = new Set(["at", "date", "day", "time", "timestamp"]);

/** A day or a time is another in each night, though nothing changed. */
const isMoment = (name: string, value: JsonValue): boolean =>
  moments.has(wordsOfName(name).at(-1) ?? "") || (typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value.trim()));

/** A value as a notice may hold it; null: it cannot be shown in a sentence, or may be a key or an e-mail address. */
function shownText(value: JsonValue): string | null {
  const text = plainText(value);
  return text === null || isSecretText(text) || /\S@\S/.test(text) ? null : text;
}

/** A value that can be shown in a sentence; null: it is too long, or no plain one. */
function plainText(value: JsonValue): string | null {
  if (value === null || typeof value === "object") return null;
  const text = String(value).trim();
  return text === "" || text.length > longestText || /[\p{Cc}\u2028\u2029]/u.test(text) ? null : text;
}

function objectIn(text: string | null): JsonObject {
  if (text === null) return {};
  try {
    const value = boundedJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
