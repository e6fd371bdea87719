/**
 * The noun for cases that belong together: `conversations`, or `groups by article` if the suite's cluster column is no
 * turn of anything.
 */
export function clusterNoun(column: string | null, count = 2): string {
  if (column === null) return count === 1 ? "conversation" : "conversations";
  return `${count === 1 ? "group" : "groups"} by ${column}`;
}

/** `40 conversations`; null where every case is its own. */
export function clusterWords(clusters: number, cases: number, column: string | null): string | null {
  return clusters === cases ? null : `${clusters.toLocaleString("en-US")} ${clusterNoun(column, clusters)}`;
}
