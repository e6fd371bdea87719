import type { Endpoint } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { outcomes, type StopCause } from "../../api/outcomes.ts";
import type { Stop } from "../../report/shape/run-summary.ts";
import { otherHeaderWords, secretHeaders } from "../../suite/key.ts";
import { sentenceList } from "../../lib/sentence-list.ts";
import { typedSuite } from "../../suite/suite-path.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";
import type { Deployment, Suite } from "../../suite/suite.ts";

/** The stop that an event tells of, with advice; null for other events. */
export function stopOf(
  event: QueueEvent,
  suite: Pick<Suite, "name" | "deployments" | "targets" | "folder">,
): Stop | null {
  if (event.type !== "target-stopped" && event.type !== "queue-stopped") return null;
  const deploymentName = event.queue.slice(0, event.queue.lastIndexOf("/"));
  const deployment = suite.deployments.find(({ name }) => name === deploymentName);
  const { reason, kind, proxy, isKeyless = false } = event;
  const file = suite.folder === null ? null : typedSuite(suite);
  const cause = kind === null ? null : outcomes[kind].cause;
  if (event.type === "queue-stopped") {
    return {
      name: event.queue,
      reason,
      advice: adviceFor(cause, deployment, { what: deploymentName, proxy, isKeyless, file }),
    };
  }
  const target = suite.targets.find(({ name }) => name === event.target);
  const what = target === undefined ? event.target : `the target ${event.target}${ranBy(target)}`;
  const runs = target === undefined ? undefined : endpointOf(target.endpoint).runs;
  return {
    name: event.target,
    reason,
    // A target alone is never stopped by a gateway: over workers the kind may just not be known.
    advice:
      cause === "away"
        ? null
        : cause === "name"
          ? unknownAdvice(runs, what, deployment)
          : adviceFor(cause, deployment, { what, proxy, isKeyless, file }),
  };
}

/** The thing that runs, in brackets: empty where the endpoint says it all. */
const ranBy = ({ exampleId }: { exampleId: string }): string => (exampleId === "" ? "" : ` ("${exampleId}")`);

/** Advice where the service does not know what it is asked for; `runs` is undefined for a judge, of which no more than the name is at hand. */
function unknownAdvice(
  runs: Endpoint["runs"] | undefined,
  what: string,
  deployment: Deployment | undefined,
): string | null {
  if (deployment === undefined) return null;
  const { name } = deployment;
  if (runs === undefined) return `Check example_id or model of ${what}: the deployment ${name} does not know it.`;
  if (runs === null)
    return `Check the path of ${what}, and the address of the deployment ${name}: nothing answers there.`;
  return `Check ${runs.key} of ${what}: the deployment ${name} has no ${runs.word} of that ${runs.key === "model" ? "name" : "id"}.`;
}

/** Names what is sent as a key: headers of the deployment's own, else the key in the environment. */
function keyAdvice(deployment: Deployment, isKeyless: boolean): string {
  const { name, baseUrl, keyNames, keyOptional = false } = deployment;
  const headers = secretHeaders(deployment);
  const belongs = `it belongs to the deployment ${name} at ${baseUrl}`;
  if (headers.length > 0) return `Check ${sentenceList(headers)}: ${belongs}.`;
  if (keyNames.length === 0) return `The embedded deployment ${name} refuses to run without a key that it knows.`;
  const other = keyOptional ? ` ${otherHeaderWords(name)}` : "";
  const names = keyNames.join(" or ");
  if (isKeyless) return `Set the key of the deployment ${name} at ${baseUrl} in ${names}, which is not set.${other}`;
  return `Check the key in ${names}: ${belongs}.${other}`;
}

/** Where the proxy of a deployment is named. */
function whence({ name, connection }: Deployment): string {
  const { proxy = "env" } = connection ?? {};
  return proxy === "env" ? "HTTPS_PROXY or HTTP_PROXY; `proxy: none` leaves it out" : `deployments.${name}.proxy`;
}

const looks = (file: string | null, what: string): string =>
  file === null ? "" : `; \`tandem check ${file}\` looks at ${what} without a run`;

interface Where {
  /** The thing that was asked. */
  what: string;
  proxy: string | null;
  isKeyless: boolean;
  /** The suite file as it is typed; null where the suite came from flags: `tandem check` looks at suite files. */
  file: string | null;
}

/** Advice about the cause of a stop, as a sentence. */
function adviceFor(
  cause: StopCause,
  deployment: Deployment | undefined,
  { what, proxy, isKeyless, file }: Where,
): string | null {
  if (deployment === undefined) return null;
  const { name, baseUrl } = deployment;
  const address = `${file === null ? "address" : "base_url"} of the deployment ${name} (${baseUrl})`;
  switch (cause) {
    case "key":
      return keyAdvice(deployment, isKeyless);
    case "no-credits":
      return `Add credits to the account of the deployment ${name}, then resume.`;
    case "unreached":
      return proxy === null
        ? `Check the ${address}, and that the service runs${looks(file, "it")}.`
        : `Check the proxy ${proxy} on the way (${whence(deployment)}), and the ${address}${looks(file, "both")}.`;
    case "other-api":
      return proxy === null
        ? `Check the ${address}: what answers there is not the API.`
        : `Check the proxy ${proxy} on the way (${whence(deployment)}), and the ${address}: what answers is not the API.`;
    case "configuration":
      return `If the error tells of an overload, resume later. Else open the url of a failed run in runs.csv to see what the saved configuration of ${what} is missing.`;
    case "away":
      return `The service behind ${name} (${baseUrl}) is down, or its gateway does not find it. When it is back, resume: only what has no answer yet is sent.`;
    case "name":
    case null:
      return null;
  }
}
