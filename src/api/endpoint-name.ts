/** The endpoints there are, by the names that suites and the database know them by; each has its object in `endpoints.ts`. */
export const endpointNames = ["video-bots", "functions"] as const;
export type EndpointName = (typeof endpointNames)[number];

/** The endpoint where none is named: of a dataset without a suite, and of stored answers. */
export const defaultEndpoint: EndpointName = "video-bots";

/** The names in a sentence. */
export const endpointList = endpointNames.join(", ").replace(/, (?=[^,]*$)/, " or ");

/** The endpoint of that name, or null. */
export function endpointNamed(text: string): EndpointName | null {
  return endpointNames.find((name) => name === text) ?? null;
}
