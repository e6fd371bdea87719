import { endpointWord, judgeEndpoints } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { type Fault, type FaultPath, fault, keyFault } from "../../lib/fault.ts";
import { targetNameForm, targetNameWords } from "../matrix/grid.ts";
import type { Sections } from "../schema/sections.ts";
import { type AskingType, askingTypes } from "../scorer-judges.ts";
import { soundEndpoint } from "./endpoint-check.ts";

/** Finds faults in the names of `judges` and in the scorers that ask them. */
export function checkJudges({ judges = {}, targets = {}, deployments = {}, scorers = [] }: Sections): Fault[] {
  const askable = { judges, graded: Object.keys(targets), known: Object.keys(deployments) };
  const { graded, known } = askable;
  const ofJudges = Object.entries(judges).flatMap(([name, { deployment }]) => {
    const path = ["judges", name];
    return [
      ...(targetNameForm.test(name) ? [] : [keyFault(path, `name ${showText(name)} may hold only ${targetNameWords}`)]),
      ...(graded.includes(name)
        ? [keyFault(path, `${showText(name)} is the name of a target too`, "Give the judge another name.")]
        : []),
      ...(deployment === undefined ? [] : unknownDeployment(deployment, path, known)),
    ];
  });
  return [...ofJudges, ...scorers.flatMap((scorer, i) => checkScorer(scorer, ["scorers", i], askable))];
}

/** The entries that a scorer may refer to. */
interface Askable {
  judges: NonNullable<Sections["judges"]>;
  /** Targets, which get cases. */
  graded: readonly string[];
  /** Deployments. */
  known: readonly string[];
}

type Scorer = NonNullable<Sections["scorers"]>[number];

function checkScorer(scorer: Scorer, path: FaultPath, askable: Askable): Fault[] {
  const { type = "", target, deployment } = scorer;
  const asks = askingTypes[type];
  if (asks === undefined) return [];
  if (target === undefined)
    return deployment === undefined ? [] : checkScorerDeployment(scorer, path, { deployment, asks, ...askable });
  const { judges, graded } = askable;
  const at = [...path, "target"];
  const judge = Object.hasOwn(judges, target) ? judges[target] : undefined;
  if (judge === undefined && graded.includes(target)) {
    const message = `names ${showText(target)}, which is graded itself: a judge gets no cases`;
    return [fault(at, message, "Put the judge under `judges:`, with deployment, endpoint and example_id.")];
  }
  if (judge === undefined) {
    const names = Object.keys(judges);
    const hint = names.length === 0 ? "The suite has no `judges:` section." : hintOf(target, names);
    return [fault(at, `names the judge ${showText(target)}, which does not exist`, hint)];
  }
  const has = soundEndpoint(judge.endpoint);
  if (has === null || endpointOf(has).answersWith === asks.reads) return [];
  const fitting = judgeEndpoints.filter((name) => endpointOf(name).answersWith === asks.reads).join(" or ");
  const word = endpointWord(has);
  return [fault(at, `names ${showText(target)}, a judge of the endpoint ${word}; the type ${type} asks ${fitting}`)];
}

/** A scorer that names a deployment says what answers there, unless the suite has one judge that can only be meant. */
function checkScorerDeployment(
  { model, example_id: id }: Scorer,
  path: FaultPath,
  { deployment, asks, judges, known }: Askable & { deployment: string; asks: AskingType },
): Fault[] {
  const unknown = unknownDeployment(deployment, path, known);
  if (unknown.length > 0 || model !== undefined || id !== undefined) return unknown;
  const there = Object.entries(judges).flatMap(([name, judge]) => {
    const endpoint = judge.deployment === deployment ? soundEndpoint(judge.endpoint) : null;
    return endpoint !== null && endpointOf(endpoint).answersWith === asks.reads ? [name] : [];
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

function unknownDeployment(name: string, path: FaultPath, known: readonly string[]): Fault[] {
  if (known.includes(name)) return [];
  const message = `names the deployment ${showText(name)}, which does not exist`;
  return [fault([...path, "deployment"], message, hintOf(name, known))];
}

const hintOf = (name: string, known: readonly string[]): string =>
  didYouMean(name, known) ?? `The suite has: ${known.join(", ") || "none"}.`;
