import { endpointWord } from "../../api/endpoint-name.ts";
import { freeFiles, openFileLimit } from "../../client/file-limit.ts";
import type { Deployment, Suite } from "../../suite/suite.ts";

/** The deployments of a suite with no more at once than the process may have files open; says so when it lowers one. */
export function withinFileLimit(
  { deployments, targets }: Pick<Suite, "deployments" | "targets">,
  onNotice: (message: string) => void,
): Deployment[] {
  const left = freeFiles();
  if (left === null) return deployments;
  const sockets = deployments.map((deployment) => socketsOf(deployment, targets));
  const share = Math.max(1, Math.floor(left / sockets.reduce((sum, each) => sum + each, 0)));
  return deployments.map((deployment) => {
    if (deployment.concurrency <= share) return deployment;
    onNotice(
      `${deployment.name}: concurrency ${deployment.concurrency} lowered to ${share}, because this process may open only ${openFileLimit()} files (raise it with \`ulimit -n\`).`,
    );
    return { ...deployment, concurrency: share };
  });
}

/** Each endpoint has a queue of its own; of an embedded deployment, the other end of a socket is here as well. */
function socketsOf({ name, baseUrl }: Deployment, targets: Suite["targets"]): number {
  const endpoints = new Set(
    targets.filter(({ deployment }) => deployment === name).map(({ endpoint }) => endpointWord(endpoint)),
  );
  return Math.max(1, endpoints.size) * (baseUrl.startsWith("local:") ? 2 : 1);
}
