/** The query by which the service finds a saved configuration. */
export function exampleQuery(exampleId: string): string {
  return `?example_id=${encodeURIComponent(exampleId)}`;
}
