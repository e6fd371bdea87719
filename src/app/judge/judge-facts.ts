import { hashText } from "../../lib/hash.ts";
import { boundedJson, canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { changedFacts, type JudgeFacts, type JudgeSign } from "../../store/scores/judge-nights.ts";
import type { Suite } from "../../suite/suite.ts";
import { promptVersion } from "../plan/checked-judges.ts";

/** Members in which services name the model that replied, and what marks its version. */
const modelMembers = ["model", "selected_model"];
const fingerprintMembers = ["system_fingerprint", "model_version", "fingerprint"];

/** More names than these are no names. */
const mostNames = 20;

/** The facts of a judge beside its grades, by the suite and the bodies of its replies. */
export function factsOf({ suite, spec }: { suite: Suite; spec: ScorerSpec }, bodies: readonly string[]): JudgeFacts {
  const objects = bodies.flatMap(parsed);
  return {
    settings: settingsHash(suite, spec),
    models: namesIn(objects, modelMembers),
    fingerprints: namesIn(objects, fingerprintMembers),
  };
}

/** A hash over a judge's scorer and whom it asks: what can be changed in the suite. */
function settingsHash(suite: Suite, { type, when, options }: ScorerSpec): string {
  const judge = suite.judges.find(({ name }) => name === options["target"]);
  const { baseUrl = "" } = suite.deployments.find(({ name }) => name === judge?.deployment) ?? {};
  // A local deployment is the same wherever its folder stands.
  const address = baseUrl.startsWith("local:") ? "local:" : baseUrl;
  const asked = [judge?.endpoint ?? "", judge?.exampleId ?? "", judge?.body ?? {}];
  const value: JsonValue = JSON.parse(JSON.stringify([promptVersion, type, when, options, address, ...asked]));
  return hashText(canonicalJson(value), 16);
}

/** The reply, and the output in it: both may say what made them. */
function parsed(body: string): JsonObject[] {
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
  return changedFacts.flatMap((kind): JudgeSign[] => {
    if (kind === "settings")
      return now.settings === last.settings ? [] : [{ kind, before: last.settings, now: now.settings }];
    const member = kind === "model" ? "models" : "fingerprints";
    const known = new Set(before.flatMap((each) => each[member]));
    const fresh = now[member].filter((name) => !known.has(name));
    return known.size === 0 || fresh.length === 0
      ? []
      : [{ kind, before: [...known].toSorted().join(", "), now: fresh.join(", ") }];
  });
}
