import { hashText } from "../../lib/hash.ts";
import { boundedJson, canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { Connection } from "../../store/connection.ts";
import { anchorReplies, changedFacts, type JudgeFacts, type JudgeSign } from "../../store/scores/anchors.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import type { Suite } from "../../suite/suite.ts";

/** A hash over a judge's scorer and whom it asks: what somebody may change in the suite. */
export function settingsHash(suite: Suite, { type, when, options }: ScorerSpec): string {
  const judge = suite.judges.find(({ name }) => name === options["target"]);
  const { baseUrl = "" } = suite.deployments.find(({ name }) => name === judge?.deployment) ?? {};
  // A local deployment is the same wherever its folder stands.
  const address = baseUrl.startsWith("local:") ? "local:" : baseUrl;
  const asked = [judge?.endpoint ?? "", judge?.exampleId ?? "", judge?.body ?? {}];
  const value: JsonValue = JSON.parse(JSON.stringify([type, when, options, address, ...asked]));
  return hashText(canonicalJson(value), 16);
}

/** Members in which services name the model that replied, and what marks its version. */
const modelMembers = ["model", "selected_model"];
const fingerprintMembers = ["system_fingerprint", "model_version", "fingerprint"];

/** More names than these are no names. */
const mostNames = 20;

/** The facts of a night besides its verdicts, by the questions and the replies of its scoring. `all`: every anchor was asked. */
export function factsOf(
  db: Connection,
  scoringId: number,
  { settings, isWhole }: { settings: string; isWhole: boolean },
): JudgeFacts {
  const replies = anchorReplies(db, scoringId);
  const objects = replies.flatMap(({ body }) => parsed(body));
  return {
    settings,
    prompt: isWhole && replies.length > 0 ? hashText(JSON.stringify(replies.map(({ question }) => question)), 16) : "",
    models: namesIn(objects, modelMembers),
    fingerprints: namesIn(objects, fingerprintMembers),
  };
}

/** The reply, and the output in it: both may say what made them. */
function parsed(body: string | null): JsonObject[] {
  if (body === null) return [];
  try {
    const value = boundedJson(body);
    if (!isJsonObject(value)) return [];
    const output = value["output"];
    return isJsonObject(output) ? [value, output] : [value];
  } catch {
    return [];
  }
}

function namesIn(objects: readonly JsonObject[], members: readonly string[]): string[] {
  const found = new Set<string>();
  for (const object of objects) {
    for (const member of members) {
      const said = object[member];
      if (typeof said === "string" && said.trim() !== "" && found.size < mostNames)
        found.add(said.trim().slice(0, 100));
    }
  }
  return [...found].toSorted();
}

/**
 * The facts in which a night differs from those before it; empty: in none that both know. A service that answers with several
 * models or fingerprints by turns is the same as long as it brings no new one.
 */
export function changedFactsOf(now: JudgeFacts, before: readonly JudgeFacts[]): JudgeSign[] {
  const last = before.at(-1);
  if (last === undefined) return [];
  const found = changedFacts.flatMap((kind): JudgeSign[] => {
    if (kind === "settings" || kind === "prompt") {
      const then = before.findLast((each) => each[kind] !== "")?.[kind] ?? "";
      const isOther = now[kind] !== "" && then !== "" && now[kind] !== then;
      return isOther ? [{ kind, before: then, now: now[kind] }] : [];
    }
    const member = kind === "model" ? "models" : "fingerprints";
    const known = new Set(before.flatMap((each) => each[member]));
    const fresh = now[member].filter((name) => !known.has(name));
    return known.size === 0 || fresh.length === 0
      ? []
      : [{ kind, before: [...known].toSorted().join(", "), now: fresh.join(", ") }];
  });
  // The prompt follows the settings.
  return found.some(({ kind }) => kind === "settings") ? found.filter(({ kind }) => kind !== "prompt") : found;
}
