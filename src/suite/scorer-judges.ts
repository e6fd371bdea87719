import type { EndpointName } from "../api/endpoint-name.ts";
import { endpointOf } from "../api/endpoints.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { freeName } from "../lib/free-name.ts";
import type { ScorerSpec } from "../score/contract/spec.ts";
import type { Target } from "./suite.ts";

/** The scorers that ask a model, a bot or a function, by their types. */
export const askingTypes: Readonly<Record<string, AskingType>> = {
  judge: { reads: "text", models: "chat-completions", bots: "video-bots" },
  pairwise: { reads: "text", models: "chat-completions", bots: "video-bots" },
  "function-judge": { reads: "value" },
  "embedding-similarity": { reads: "vector", models: "embeddings" },
};

/** A type of scorer that asks. */
export interface AskingType {
  /** The form of the answers that it reads. */
  reads: Endpoint["answersWith"];
  /** The endpoint of its `deployment` for a model, and for a saved bot. */
  models?: EndpointName;
  bots?: EndpointName;
}

/** The scorers and judges of a suite, where scorers that name a deployment have a judge of their own. */
export function withScorerJudges(
  scorers: readonly ScorerSpec[],
  given: { judges: readonly Target[]; targets: readonly Target[] },
): { scorers: ScorerSpec[]; judges: Target[] } {
  const judges = [...given.judges];
  const taken = new Set([...judges, ...given.targets].map(({ name }) => name));
  const named = scorers.map((spec) => {
    const { deployment, model, example_id: id, ...options } = spec.options;
    const type = askingTypes[spec.type];
    if (type === undefined || typeof deployment !== "string") return spec;
    const judge = judgeAt({ deployment, model, id }, type, { judges, taken });
    return { ...spec, options: { ...options, target: judge } };
  });
  return { scorers: named, judges };
}

/** The name of the judge that a scorer means by a deployment; one that is new is added. */
function judgeAt(
  { deployment, model, id }: { deployment: string; model: unknown; id: unknown },
  type: AskingType,
  { judges, taken }: { judges: Target[]; taken: Set<string> },
): string {
  const [ran, endpoint] = typeof model === "string" ? [model, type.models] : [id, type.bots];
  const known = judges.find(
    (judge) =>
      judge.deployment === deployment &&
      (typeof ran === "string"
        ? judge.endpoint === endpoint && judge.exampleId === ran && Object.keys(judge.body).length === 0
        : endpointOf(judge.endpoint).answersWith === type.reads),
  );
  if (known !== undefined) return known.name;
  if (typeof ran !== "string" || endpoint === undefined) {
    throw new TypeError(`A scorer asks ${deployment}, and nothing says who answers there.`);
  }
  const wanted = `${deployment}.${ran.replaceAll(/[^\p{L}\p{M}\p{N}_.:-]+/gu, "-")}`.slice(0, mostName);
  const name = freeName(wanted, (each) => taken.has(each));
  taken.add(name);
  judges.push({ name, deployment, endpoint, exampleId: ran.trim(), body: {} });
  return name;
}

/** Room for a number behind it. */
const mostName = 190;
