/** The run id in the query of a run's page (`.../?run_id=ID&uid=UID`), or null. */
export function runIdOfUrl(url: string): string | null {
  return /[?&]run_id=([^&#\s"]+)/.exec(url)?.[1] ?? null;
}
