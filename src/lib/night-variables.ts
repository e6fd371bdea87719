/** Variable of the environment by which a night that a worker spends knows which others its suite may name. */
export const nightVariables = "TANDEM_NIGHT_VARIABLES";

/** Names of the variables that a suite may use here: those that the operator of the worker has listed; null: this is no such night, and it may name any. */
export function variablesOfNight(env: Readonly<Record<string, string | undefined>>): string[] | null {
  return env[nightVariables]?.split(" ").filter((name) => name !== "") ?? null;
}
