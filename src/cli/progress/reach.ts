import { keyVariable } from "../../app/plan/planned-request.ts";
import { secretHeaders } from "../../suite/key.ts";
import { visible } from "../../report/text/visible.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { runsCode } from "../../score/make.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { Deployment } from "../../suite/suite.ts";

/**
 * The things of this machine that a command is about to reach: each host with the variable whose key it is sent, then the
 * commands and modules that grade. A line each, without a key; embedded deployments get none.
 */
export function reachLines(
  deployments: readonly Deployment[],
  trust: CodeTrust | null,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const hosts = deployments.flatMap((deployment) => {
    const { name, baseUrl } = deployment;
    if (baseUrl.startsWith("local:")) return [];
    const key = keyVariable(deployment, env);
    const { proxy = "env" } = deployment.connection ?? {};
    const sent = [...(key === null ? [] : [`the key in ${key}`]), ...secretHeaders(deployment).map(visible)];
    const through = proxy === "env" || proxy === "none" ? "" : ` through the proxy ${visible(proxy)}`;
    if (sent.length === 0 && through === "") return [];
    const what = sent.length === 0 ? "requests are" : `${sent.join(" and ")} ${sent.length === 1 ? "is" : "are"}`;
    return [`${visible(name)}: ${what} sent to ${visible(new URL(baseUrl).origin)}${through}`];
  });
  const code = (trust?.scorers ?? []).filter(runsCode).map((spec) => `${visible(spec.name)}: ${deedWords(spec)}`);
  return [...hosts, ...code];
}

function deedWords({ type, options: { file, command } }: ScorerSpec): string {
  const words = [command ?? file]
    .flat()
    .map((word) => (typeof word === "string" ? word : JSON.stringify(word ?? null)));
  const named = visible(words.join(" "));
  return scorerOfType(type)?.readsOnly === true ? `reads ${named}` : `runs the ${type} ${named}`;
}
