/** Every request has a body of its own (`variables.row`), so that one that came twice can be told. */
export function demoSuite({ dataset, prod, test }: { dataset: string; prod: string; test: string }): string {
  return `name: help-desk
dataset: ${JSON.stringify(dataset)}
case:
  key: id
  input: { input_prompt: question, variables.row: id }
  expected: golden_answer
deployments:
  prod: { base_url: "${prod}", api_key_env: PROD_API_KEY, concurrency: 6 }
  test: { base_url: "${test}", api_key_env: TEST_API_KEY, concurrency: 6 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: helpdesk }
  test: { deployment: test, endpoint: video-bots, example_id: helpdesk }
scorers:
  - { name: correct, type: contains, primary: true }
compare: { baseline: prod, candidates: [test] }
gates:
  - { metric: correct, margin: 0.05 }
`;
}
