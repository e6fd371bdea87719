import { type Environment, onlyVariables, variablesIn } from "../../suite/environment.ts";
import type { SuiteFile } from "../../suite/schema/schema.ts";
import { ownWayFault } from "../serve/allowed.ts";

/**
 * The reason why a suite cannot be run by a schedule, without its subject; null: it can. Whoever adds one does not run the
 * machine that spends its nights, so it chooses no variable for an address, which is stored in the clear, no file or folder
 * of that machine, and nobody whom only that machine reaches. It is looked at as it is written, before anything is read for it.
 */
export function scheduleFault({ deployments = {}, files, scorers = [] }: SuiteFile): string | null {
  for (const [name, { base_url: address, proxy, ca, cert, cert_key: certKey }] of Object.entries(deployments)) {
    const [variable] = variablesIn(address);
    if (variable !== undefined)
      return `takes the base_url of ${name} from the variable ${variable}: write the address itself`;
    if (address.trim().startsWith("local:"))
      return `runs ${name} from a folder (${address.trim()}): serve it, and give its address`;
    const way = { ...(proxy !== undefined && { proxy }), ...(ca !== undefined && { ca }) };
    const fault = ownWayFault({
      ...way,
      ...(cert !== undefined && { cert }),
      ...(certKey !== undefined && { certKey }),
    });
    if (fault !== null) return `has a deployment ${name} that no worker serves: ${fault}`;
  }
  if (files?.root !== undefined)
    return "names a folder for files (files.root): only those beside its sheet are sent along";
  return scorers.some(asksPrivate) ? "asks private addresses (allow_private)" : null;
}

/** At whatever depth: scorers are made of others. */
function asksPrivate(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => (key === "allow_private" ? inner !== false : asksPrivate(inner)));
}

/** Variables of a machine that its operator lets scheduled suites use, and no other. */
export function allowedVariables(env: Environment, allowed: readonly string[]): Environment {
  return onlyVariables(env, allowed);
}
