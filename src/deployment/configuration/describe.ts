import { endpointOf } from "../../api/endpoints.ts";
import { fileMarks } from "../../api/files/file-marks.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import type { Configuration } from "./configuration.ts";

/** The facts that a person needs to call a deployment. */
export interface Described {
  baseUrl: string;
  directory: string;
  configurations: readonly Pick<Configuration, "endpoint" | "id">[];
  /** The first configured key; null when none is needed. */
  key: string | null;
  /** True when /journal and /faults are served. */
  testRoutes: boolean;
}

/** Describes the deployment as lines of text, with a curl line that works. */
export function describeDeployment(running: Described): string[] {
  const { baseUrl, directory, configurations, testRoutes } = running;
  const [first] = configurations;
  return [
    `${directory} at ${baseUrl}`,
    ...configurations.map(({ endpoint, id }) => `  ${endpoint}  ${id}`),
    ...(testRoutes ? [`  journal ${baseUrl}/journal   faults ${baseUrl}/faults`] : []),
    ...(first === undefined ? [] : ["Try:", `  ${curlLine(running, first)}`]),
  ];
}

/** A complete command that makes one run. */
function curlLine(running: Described, { endpoint, id }: Pick<Configuration, "endpoint" | "id">): string {
  const { path } = endpointOf(endpoint).call.request({}, id, fileMarks());
  const key = running.key === null ? "sk-any" : shellQuoted(running.key);
  return (
    `curl -s '${running.baseUrl}${path}' -H "Authorization: bearer ${key}" ` +
    `-H 'Content-Type: application/json' -d '${servedEndpoints[endpoint].exampleBody}'`
  );
}

/** Safe inside double quotes of a shell. */
function shellQuoted(text: string): string {
  return text.replaceAll(/[\\"$`]/g, "\\$&");
}
