/** The part of a suite that names both sides: one saved bot behind two deployments of a service. */
export const twoSides = (url: string): string => `deployments:
  prod: { base_url: "${url}/prod" }
  test: { base_url: "${url}/test" }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }`;
