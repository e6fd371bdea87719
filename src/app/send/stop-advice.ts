import type { OutcomeKind } from "../../client/outcome.ts";
import type { Stop } from "../../report/shape/run-summary.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";
import type { Deployment, Suite } from "../../suite/suite.ts";

/** The stop that an event tells of, with advice; null for other events. */
export function stopOf(event: QueueEvent, suite: Pick<Suite, "deployments" | "targets">): Stop | null {
  if (event.type !== "target-stopped" && event.type !== "lane-stopped") return null;
  const deploymentName = event.lane.slice(0, event.lane.lastIndexOf("/"));
  const deployment = suite.deployments.find(({ name }) => name === deploymentName);
  const { reason, kind } = event;
  if (event.type === "lane-stopped") {
    return { name: event.lane, reason, advice: adviceFor(kind, deployment, deploymentName) };
  }
  const exampleId = suite.targets.find(({ name }) => name === event.target)?.exampleId;
  const what = exampleId === undefined ? event.target : `the target ${event.target} ("${exampleId}")`;
  return { name: event.target, reason, advice: adviceFor(kind, deployment, what) };
}

/** Advice about the kind of outcome that stopped something, as a sentence; null: nothing to add. */
function adviceFor(kind: OutcomeKind | null, deployment: Deployment | undefined, what: string): string | null {
  if (deployment === undefined) return null;
  const { name, baseUrl, keyNames } = deployment;
  const address = `base_url of the deployment ${name} (${baseUrl})`;
  switch (kind) {
    case "auth":
      return keyNames.length === 0
        ? `The embedded deployment ${name} refuses to run without a key that it knows.`
        : `Check the key in ${keyNames.join(" or ")}: it belongs to the deployment ${name} at ${baseUrl}.`;
    case "credits":
      return `Add credits to the account of the deployment ${name}, then resume.`;
    case "not-sent":
      return `Check the ${address}, and that the service runs; \`tandem doctor SUITE\` looks at it without a run.`;
    case "target":
      return `Check example_id of ${what}: the deployment ${name} has no saved configuration of that id.`;
    case "not-the-api":
      return `Check the ${address}: what answers there is not the API.`;
    case "run-failed":
      return `Open the url of a failed run in runs.csv to see what the saved configuration of ${what} is missing.`;
    case "ok":
    case "throttled":
    case "rejected":
    case "ambiguous":
    case null:
      return null;
  }
}
