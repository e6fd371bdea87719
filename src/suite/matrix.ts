/**
 * Names of the targets that a matrix makes, in order: for each deployment each example_id.
 * With one example_id a target is named like its deployment, with several `deployment:example_id`.
 */
export function targetNames(deployments: readonly string[], exampleIds: readonly string[]): string[] {
  return deployments.flatMap((deployment) =>
    exampleIds.map((exampleId) => (exampleIds.length === 1 ? deployment : `${deployment}:${exampleId}`)),
  );
}
