import { rootOf } from "../distributions/root.ts";
import { countsPower, type Turning } from "./gate-power.ts";

/** Power that is asked for. */
const wantedPower = 0.8;

/** A gate on passes and fails of one run each side, where so large a share of the cases is assumed to turn out differently. */
interface CountedGate {
  /** 0: the drop is shown at all. */
  margin: number;
  alpha: number;
  psi: number;
}

/** The smallest true drop that the gate's own rule calls a regression with 80 % power; null where no outcome of so many cases is one, or too rarely. */
export function countedDrop(cases: number, { margin, alpha, psi }: CountedGate): number | null {
  const power = countsPower(cases, margin, { alpha, passAlpha: alpha });
  const lacking = (drop: number): number => power(turningOf(drop, psi)).regression - wantedPower;
  return lacking(1) < 0 ? null : rootOf(lacking, { low: 0, high: 1 }, 1e-6);
}

/** A drop is at least as many cases that turn out differently; what else turns goes both ways. */
function turningOf(drop: number, psi: number): Turning {
  const differ = Math.max(psi, drop);
  return { gains: (differ - drop) / 2, losses: (differ + drop) / 2 };
}

/**
 * The smallest drop of a mean of passes that Student's t finds, where a drop brings its own variation: max(psi, d) - d^2
 * of single runs. `errors` are the standard errors that it takes, `share` is the part of the variance that is left by
 * several runs, multiplied by clusters, for each case.
 */
export function meanDrop({
  margin,
  errors,
  psi,
  share,
}: {
  margin: number;
  errors: number;
  psi: number;
  share: number;
}): number | null {
  const beyond = (drop: number): number =>
    drop - margin - errors * Math.sqrt(Math.max(0, Math.max(psi, drop) - drop * drop) * share);
  return rootOf(beyond, { low: 0, high: 1 }, 1e-6);
}
