/** The endpoints of the service, which the local deployment serves with all that they can answer. */
export const serviceEndpoints = ["video-bots", "functions"] as const;
export type ServiceEndpoint = (typeof serviceEndpoints)[number];

/** The endpoints that answer cases and have a name of their own. */
export const endpointNames = [...serviceEndpoints, "chat-completions"] as const;

/** Those that scorers may ask: the same, and one that turns texts into vectors. Each has its object in `endpoints.ts`. */
export const judgeEndpoints = [...endpointNames, "embeddings"] as const;
export type NamedEndpoint = (typeof judgeEndpoints)[number];

/** Word for every endpoint that a suite describes itself. */
const described = "http";
type DescribedEndpoint = `${typeof described} ${string}`;

/**
 * An endpoint as suites and the database know it: a name, or `http` and the description in JSON. The text says all there is
 * to know, so that a stored batch needs nothing else, and another description is another endpoint.
 */
export type EndpointName = NamedEndpoint | DescribedEndpoint;

/** The endpoint where none is named: of a dataset without a suite, and of stored answers. */
export const defaultEndpoint: EndpointName = "video-bots";

/** The names in a sentence. */
export const endpointList = endpointNames.join(", ").replace(/, (?=[^,]*$)/, " or ");

/** The endpoint of that name, or null. */
export function endpointNamed(text: string): EndpointName | null {
  if (isDescribed(text)) return text;
  return judgeEndpoints.find((name) => name === text) ?? null;
}

/** The name of an endpoint that is described by a JSON text. */
export function describedName(description: string): DescribedEndpoint {
  return `${described} ${description}`;
}

/** The JSON text that describes an endpoint. */
export function descriptionIn(name: DescribedEndpoint): string {
  return name.slice(described.length + 1);
}

/** True for the name of an endpoint that a suite describes. */
export function isDescribed(name: string): name is DescribedEndpoint {
  return name.startsWith(`${described} `);
}

/** One word for an endpoint, for people and for what all endpoints of a kind share: its name, or `http`. */
export function endpointWord(name: EndpointName): string {
  return isDescribed(name) ? described : name;
}

/** True for endpoints whose outputs have the same members, so that they can be compared one by one. */
export function haveSameOutputs(one: EndpointName, other: EndpointName): boolean {
  const isOfService = (name: EndpointName): boolean => serviceEndpoints.some((each) => each === name);
  return endpointWord(one) === endpointWord(other) || (isOfService(one) && isOfService(other));
}
