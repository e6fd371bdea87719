import { type EndpointName, endpointWord, judgeEndpoints } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type Fault, type FaultPath, fault, keyFault } from "../fault.ts";
import { targetNameForm, targetNameWords } from "../matrix/grid.ts";
import { type AskingType, askingTypes } from "../scorer-judges.ts";
import { endpointIn } from "./endpoint-check.ts";

/** Finds faults in the names of `judges` and in the scorers that ask them. It takes the raw suite. */
export function checkJudges(suite: Record<string, unknown>): Fault[] {
  const { judges, targets, deployments, scorers } = suite;
  const names = isJsonObject(judges) ? Object.keys(judges) : [];
  const graded = isJsonObject(targets) ? Object.keys(targets) : [];
  const known = isJsonObject(deployments) ? Object.keys(deployments) : [];
  const faults: Fault[] = [];
  for (const name of names) {
    const path = ["judges", name];
    if (!targetNameForm.test(name)) {
      faults.push(keyFault(path, `name ${showText(name)} may hold only ${targetNameWords}`));
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
  return [
    ...faults,
    ...scorers.flatMap((scorer: unknown, i) => checkScorer(scorer, i, { judges, names, graded, known })),
  ];
}

/** The names and entries that a scorer may refer to. */
interface Askable {
  judges: unknown;
  names: string[];
  /** Targets, which get cases. */
  graded: string[];
  /** Deployments. */
  known: string[];
}

function checkScorer(scorer: unknown, i: number, askable: Askable): Fault[] {
  if (!isJsonObject(scorer)) return [];
  const { type, target, deployment } = scorer;
  if (typeof type !== "string") return [];
  const asks = askingTypes[type];
  if (asks === undefined) return [];
  if (typeof deployment === "string" && target === undefined) {
    return checkScorerDeployment(scorer, ["scorers", i], { deployment, asks, ...askable });
  }
  if (typeof target !== "string") return [];
  const { judges, names, graded } = askable;
  const path = ["scorers", i, "target"];
  if (graded.includes(target) && !names.includes(target)) {
    const message = `names ${showText(target)}, which is graded itself: a judge gets no cases`;
    return [fault(path, message, "Put the judge under `judges:`, with deployment, endpoint and example_id.")];
  }
  if (!names.includes(target)) {
    const hint = names.length === 0 ? "The suite has no `judges:` section." : hintOf(target, names);
    return [fault(path, `names the judge ${showText(target)}, which does not exist`, hint)];
  }
  const has = judgeEndpoint(judges, target);
  if (has === null || endpointOf(has).answersWith === asks.reads) return [];
  const fitting = judgeEndpoints.filter((name) => endpointOf(name).answersWith === asks.reads).join(" or ");
  const word = endpointWord(has);
  return [fault(path, `names ${showText(target)}, a judge of the endpoint ${word}; the type ${type} asks ${fitting}`)];
}

/** A scorer that names a deployment says what answers there, unless the suite has one judge that can only be meant. */
function checkScorerDeployment(
  { model, example_id: id }: JsonObject,
  path: FaultPath,
  { deployment, asks, judges, names, known }: Askable & { deployment: string; asks: AskingType },
): Fault[] {
  if (!known.includes(deployment)) {
    const message = `names the deployment ${showText(deployment)}, which does not exist`;
    return [fault([...path, "deployment"], message, hintOf(deployment, known))];
  }
  if (typeof model === "string" || typeof id === "string") return [];
  const there = names.filter((name) => {
    const endpoint = judgeEndpoint(judges, name);
    const at = isJsonObject(judges) && isJsonObject(judges[name]) ? judges[name]["deployment"] : undefined;
    return at === deployment && endpoint !== null && endpointOf(endpoint).answersWith === asks.reads;
  });
  if (there.length === 1) return [];
  const message =
    there.length === 0
      ? `names the deployment ${showText(deployment)} alone, and nothing says who judges there`
      : `names the deployment ${showText(deployment)}, and the suite has several judges there: ${there.join(", ")}`;
  const byModel = "`model: NAME` (the model, as the API calls it)";
  const ways = asks.bots === undefined ? byModel : `${byModel} or \`example_id: ID\` (a saved bot)`;
  const hint = there.length === 0 ? `Add ${ways}.` : "Name one of them as `target` instead.";
  return [fault([...path, "deployment"], message, hint)];
}

function judgeEndpoint(judges: unknown, name: string): EndpointName | null {
  const judge = isJsonObject(judges) ? judges[name] : undefined;
  return endpointIn(isJsonObject(judge) ? judge["endpoint"] : undefined);
}

const hintOf = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? `The suite has: ${known.join(", ") || "none"}.`;
