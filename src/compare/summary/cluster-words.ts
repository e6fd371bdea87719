/**
 * What cases that belong together are called: `conversations`, or `groups by article` where the suite's cluster column is
 * no turn of anything.
 */
export function clusterNoun(column: string | null, count = 2): string {
  if (column === null) return count === 1 ? "conversation" : "conversations";
  return `${count === 1 ? "group" : "groups"} by ${column}`;
}

/** `40 conversations`; null where every case is its own. */
export function clusterWords(clusters: number, cases: number, column: string | null): string | null {
  return clusters === cases ? null : `${clusters.toLocaleString("en-US")} ${clusterNoun(column, clusters)}`;
}
