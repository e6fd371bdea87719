import { endpointOf } from "../../api/endpoints.ts";
import { canonicalJson } from "../../lib/json.ts";
import type { PlainValue } from "../schema/form.ts";
import type { Target } from "../suite.ts";

/** A property in which targets differ, with the values that occur, in the order of the targets. */
export interface Dimension {
  /** `deployment`, `example_id` or `model`, or a key of `vary`: `body.sampling_temperature`, `prompt`. */
  name: string;
  values: PlainValue[];
  /** The value of a target. */
  of: (target: Configured) => PlainValue | undefined;
}

type Configured = Pick<Target, "deployment" | "endpoint" | "exampleId" | "body" | "stored" | "varied" | "mode">;

/**
 * The properties in which targets differ and whose effect can be told: some two targets are alike but for it. They are
 * those that a matrix varied, and the deployment and configuration of every target. Empty where targets differ in more
 * than that, such as in bodies that were written by hand; and where they are a plain list of deployments or
 * configurations, whose effect would say the choice among them again.
 */
export function dimensionsOf(targets: readonly Configured[]): Dimension[] {
  const asked = targets.filter(({ stored }) => stored === undefined);
  if (new Set(asked.map(unvaried)).size > 1) return [];
  const varied = asked.flatMap((target) => Object.keys(target.varied ?? {}));
  const idKey = asked.map(({ endpoint }) => endpointOf(endpoint).runs?.key).find((key) => key !== undefined);
  const own = ["deployment", ...(idKey === undefined ? [] : [idKey])];
  const all = [...new Set([...own, ...varied])].map((name): Dimension => {
    const of = valueReader(name);
    return { name, values: [...new Set(asked.map(of).filter((value) => value !== undefined))], of };
  });
  const several = all.filter(({ values }) => values.length > 1);
  const isList = several.length === 1 && several.every(({ name }) => !varied.includes(name));
  return isList ? [] : several.filter((dimension) => differsAlone(dimension, { several, asked }));
}

/** True where two targets are alike but for this dimension. */
function differsAlone(
  { of, name }: Dimension,
  { several, asked }: { several: readonly Dimension[]; asked: readonly Configured[] },
): boolean {
  const others = several.filter((dimension) => dimension.name !== name);
  const first = new Map<string, PlainValue>();
  return asked.some((target) => {
    const value = of(target);
    if (value === undefined) return false;
    const rest = JSON.stringify(others.map((dimension) => [dimension.of(target)]));
    const known = first.get(rest);
    if (known === undefined) first.set(rest, value);
    return known !== undefined && known !== value;
  });
}

function valueReader(name: string): Dimension["of"] {
  if (name === "deployment") return ({ deployment }) => deployment;
  if (name === "example_id" || name === "model") return ({ exampleId }) => exampleId;
  return ({ varied }) => varied?.[name];
}

/** Everything of a target but its deployment, its configuration and the values that a matrix gave it, as a text. */
function unvaried({ endpoint, body, varied, mode }: Configured): string {
  return canonicalJson([endpoint, mode ?? "", varied === undefined ? body : Object.keys(varied).toSorted()]);
}
