import { isRejected } from "../../stats/difference.ts";
import type { Cause } from "../cause.ts";
import type { GateState } from "../verdict-word.ts";

/** The numbers and reasons that a gate is decided by, over all of its cases, or of those so far where a run may stop early. */
export interface Basis {
  /** Why nothing may be decided, why its scorer measures nothing, and why its cases were chosen by what was seen in them. */
  invalid: Cause | null;
  scorerFault: Cause | null;
  chosen: Cause | null;
  /** No case has what it asks about. */
  empty: Cause | null;
  /** Its weight among the claims of a comparison. */
  weight: number;
  /** P of the two claims; null: it makes none, or nothing could be inferred. */
  claims: { pRegression: number | null; pPass: number | null } | null;
  /** A gate that counts: what its cases are. Left out: it claims. */
  counted?: Extract<GateState, "regression" | "pass">;
  /** P of H0: nothing is lost, one-sided; null: that is not claimed. */
  pLoss?: () => number | null;
  /** So few cases that no pass is possible with none worse: that is said of a value of a tag, which others may outnumber. */
  hasTooFew?: (passAlpha: number) => boolean;
  /** The baseline has no more to lose than the limit, and the candidate has not surely risen from there. */
  atFloor?: () => Cause | null;
  /** P of a pass with each gap as a fail of its side, where the candidate has more of them, and what it would take. */
  gaps?: { pPass: number | null; why: (passAlpha: number) => Cause } | null;
  /** Many values lie beyond the ends that the suite gives the score. */
  outside?: Cause | null;
  /** A score without ends that was the same in every case. */
  still?: Cause | null;
  /** Cases of the plan, or tries of a case, that are not known yet. */
  unseen?: () => Cause | null;
  /** Why no affordable number of rows settles it; null: some do. Asked of an open gate alone. */
  hopeless?: (levels: { alpha: number; passAlpha: number }) => Cause | null;
}

/** Takes a claim away that the figures alone would make. */
interface Guard {
  name: string;
  takes: "validity" | "every claim" | "a pass";
  /** More cases would not settle it. */
  isFinal: boolean;
  /** The reason; null: it does not stand. */
  why: (basis: Basis, passAlpha: number) => Cause | null;
}

/** Every guard, in the one order in which they are asked: the first that stands gives the reason. */
const list = [
  { name: "invalid", takes: "validity", isFinal: true, why: ({ invalid }) => invalid },
  { name: "no-case", takes: "validity", isFinal: true, why: ({ empty }) => empty },
  { name: "unable", takes: "every claim", isFinal: true, why: ({ scorerFault }) => scorerFault },
  { name: "chosen", takes: "a pass", isFinal: true, why: ({ chosen }) => chosen },
  { name: "floor", takes: "every claim", isFinal: true, why: ({ atFloor }) => atFloor?.() ?? null },
  {
    name: "gaps",
    takes: "a pass",
    isFinal: true,
    why: ({ gaps, claims }, passAlpha) =>
      gaps && isRejected(claims?.pPass ?? null, passAlpha) && !isRejected(gaps.pPass, passAlpha)
        ? gaps.why(passAlpha)
        : null,
  },
  { name: "outside", takes: "a pass", isFinal: true, why: ({ outside }) => outside ?? null },
  { name: "still", takes: "a pass", isFinal: true, why: ({ still }) => still ?? null },
  { name: "unseen", takes: "a pass", isFinal: false, why: ({ unseen }) => unseen?.() ?? null },
] as const satisfies readonly Guard[];

export type GuardName = (typeof list)[number]["name"] | "hopeless";

/** A guard that stands, with its reason. */
export interface Standing extends Pick<Guard, "takes" | "isFinal"> {
  name: GuardName;
  reason: Cause;
}

/** The first guard that stands; null: none does. */
export function standingGuard(basis: Basis, passAlpha: number): Standing | null {
  for (const { name, takes, isFinal, why } of list) {
    const reason = why(basis, passAlpha);
    if (reason !== null) return { name, takes, isFinal, reason };
  }
  return null;
}
