import { endpointNames, endpointWord } from "../../api/endpoint-name.ts";
import type { Endpoint } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isJsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type Fault, fault, keyFault } from "../fault.ts";
import { endpointIn } from "./endpoint-check.ts";

/** Scorers that ask a judge, each with the kind of answer that it reads a verdict from. */
const readFrom: Record<string, Endpoint["answersWith"]> = {
  judge: "text",
  pairwise: "text",
  "function-judge": "value",
};

/** Finds faults in the names of `judges` and in the scorers that ask them. It takes the raw suite. */
export function checkJudges(suite: Record<string, unknown>): Fault[] {
  const { judges, targets, deployments, scorers } = suite;
  const names = isJsonObject(judges) ? Object.keys(judges) : [];
  const graded = isJsonObject(targets) ? Object.keys(targets) : [];
  const known = isJsonObject(deployments) ? Object.keys(deployments) : [];
  const faults: Fault[] = [];
  for (const name of names) {
    const path = ["judges", name];
    if (!/^[\p{L}\p{M}\p{N}_.:-]{1,200}$/u.test(name)) {
      faults.push(keyFault(path, `name ${showText(name)} may hold only letters, digits, _, -, . and :`));
    }
    if (graded.includes(name)) {
      faults.push(keyFault(path, `${showText(name)} is the name of a target too`, "Give the judge another name."));
    }
    const deployment = isJsonObject(judges) && isJsonObject(judges[name]) ? judges[name]["deployment"] : undefined;
    if (typeof deployment === "string" && !known.includes(deployment)) {
      const message = `names the deployment ${showText(deployment)}, which does not exist`;
      faults.push(fault([...path, "deployment"], message, hintOf(deployment, known)));
    }
  }
  if (!Array.isArray(scorers)) return faults;
  return [...faults, ...scorers.flatMap((scorer: unknown, i) => checkScorer(scorer, i, { judges, names, graded }))];
}

function checkScorer(
  scorer: unknown,
  i: number,
  { judges, names, graded }: { judges: unknown; names: string[]; graded: string[] },
): Fault[] {
  if (!isJsonObject(scorer)) return [];
  const { type, target } = scorer;
  if (typeof type !== "string" || typeof target !== "string") return [];
  const kind = readFrom[type];
  if (kind === undefined) return [];
  const path = ["scorers", i, "target"];
  if (graded.includes(target) && !names.includes(target)) {
    const message = `names ${showText(target)}, which is graded itself: a judge gets no cases`;
    return [fault(path, message, "Put the judge under `judges:`, with deployment, endpoint and example_id.")];
  }
  if (!names.includes(target)) {
    const hint = names.length === 0 ? "The suite has no `judges:` section." : hintOf(target, names);
    return [fault(path, `names the judge ${showText(target)}, which does not exist`, hint)];
  }
  const judge = isJsonObject(judges) ? judges[target] : undefined;
  const has = endpointIn(isJsonObject(judge) ? judge["endpoint"] : undefined);
  if (has === null || endpointOf(has).answersWith === kind) return [];
  const asks = endpointNames.filter((name) => endpointOf(name).answersWith === kind).join(" or ");
  const word = endpointWord(has);
  return [fault(path, `names ${showText(target)}, a judge of the endpoint ${word}; the type ${type} asks ${asks}`)];
}

const hintOf = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? `The suite has: ${known.join(", ") || "none"}.`;
