/**
 * The version of all that tandem stores: the database, suites and comparisons in it, pins and reports. A change of any of them
 * raises it; until 0.1.0 is published nothing is migrated.
 */
export const storedVersion = 112;

/** Says of a version that it is not the one that this tandem reads; null: it is. */
export function versionFault(found: number): string | null {
  if (found === storedVersion) return null;
  const writer = found < storedVersion ? "an unreleased tandem" : "a newer one";
  return `is of ${writer} (version ${found}; this tandem reads ${storedVersion})`;
}
