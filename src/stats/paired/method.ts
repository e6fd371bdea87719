import type { Bounds } from "../interval.ts";

/** One-sided p values of a supposed difference; null where there is nothing to test. */
export interface OneSided {
  /** p value for H0: the difference is at most the supposed one. */
  pGreater: number | null;
  /** p value for H0: the difference is at least the supposed one. */
  pLess: number | null;
}

/** One way to judge a difference: p values against any supposed one, and the bounds at which it stops to reject. */
export interface Method {
  against: (supposed: number) => OneSided;
  /** One-sided; null where none can be given. `near` is the value on whose side the bound has to be right. */
  lower: (confidence: number, near: number) => number | null;
  upper: (confidence: number, near: number) => number | null;
}

/**
 * Names what is asked beside the first method: `counted` outcome by outcome, `skewness` corrected for; and of a pass alone
 * `one-more`, that it holds with one more loss, `unseen`, that so many units do not hide the loss, and `fewer-losses`, that it
 * would be one with fewer losses too.
 */
export type StricterName = "counted" | "skewness" | PassName;

type PassName = "one-more" | "unseen" | "fewer-losses";

/** The whole rule that a gate decides by: a claim has to hold by the first method, and by the stricter one if there is one. */
export interface Rule {
  first: Method;
  stricter: ({ by: StricterName } & Method) | null;
  /** Asked of a pass alone; left out: the cases show by themselves how much one can lose. */
  oneMore?: OneMore | undefined;
  /** Further tests that a pass has to hold by; left out: there is none. */
  ofPass?: readonly PassTest[];
}

/** A test that a pass has to hold by, beside those of the difference. */
export interface PassTest {
  by: PassName;
  /** P of H0: the difference is at most the supposed one. */
  p: (supposed: number) => number;
  lower: (confidence: number) => number;
}

/**
 * One more case than there is, which loses much: a pass has to hold with it too. A sample in which little was lost does not
 * show how much a score without ends can lose, and neither do a few cases that differ of one with ends.
 */
export interface OneMore {
  /** The loss of that case: the largest value of both sides less the smallest (`spread`), or all of the scale (`scale`). */
  of: "spread" | "scale";
  loss: number;
  /** Why there is no pass whatever the differences are: so few cases, or values that are all alike; null: there may be one. */
  never: "few" | "still" | null;
  /** The first method over the clusters and that one; null where it gives none. */
  method: Method | null;
}

/** P values of a claim by the whole rule. */
export interface ClaimedP {
  /** p value for H0: no more is lost than the margin. A small one: it got worse by more. */
  pRegression: number | null;
  /** p value for H0: at least the margin is lost. A small one: it is not. */
  pPass: number | null;
  /** The stricter method that gave the larger p of a claim; null where the first did. */
  stricter: StricterName | null;
}

export interface ClaimLevels {
  margin: number;
  alpha: number;
  passAlpha: number;
}

/** The stricter method is asked about what the first rejects alone: what it does not reject is not claimed anyway. */
export function claimedP(rule: Rule, levels: ClaimLevels): ClaimedP {
  const claimed = bothP(rule, levels);
  let { pPass, stricter } = claimed;
  for (const { by, p } of rule.ofPass ?? []) {
    if (!isRejected(pPass, levels.passAlpha)) break;
    const again = p(-levels.margin);
    if (again > (pPass ?? 0)) [pPass, stricter] = [again, by];
  }
  if (rule.oneMore !== undefined && isRejected(pPass, levels.passAlpha)) {
    const again = rule.oneMore.method?.against(-levels.margin).pGreater ?? null;
    if (again === null || again > (pPass ?? 0)) [pPass, stricter] = [again, "one-more"];
  }
  return { ...claimed, pPass, stricter };
}

function bothP({ first, stricter }: Rule, { margin, alpha, passAlpha }: ClaimLevels): ClaimedP {
  const { pLess, pGreater } = first.against(-margin);
  const [worse, not] = [isRejected(pLess, alpha), isRejected(pGreater, passAlpha)];
  const again = stricter !== null && (worse || not) ? stricter.against(-margin) : null;
  if (stricter === null || again === null) return { pRegression: pLess, pPass: pGreater, stricter: null };
  const pRegression = worse ? larger(pLess, again.pLess) : pLess;
  const pPass = not ? larger(pGreater, again.pGreater) : pGreater;
  const isHeld = pRegression !== pLess || pPass !== pGreater;
  return { pRegression, pPass, stricter: isHeld ? stricter.by : null };
}

/** The upper bound of the whole rule alone; see `claimedBounds`. */
export function claimedUpper({ first, stricter }: Rule, confidence: number, near: number): number | null {
  const high = first.upper(confidence, near);
  const high2 = stricter?.upper(confidence, near) ?? null;
  return high === null || high2 === null ? (high ?? high2) : Math.max(high, high2);
}

interface BoundLevels {
  margin: number;
  upper: number;
  lower: number;
}

/** The bounds of the whole rule: those of the method that claims less. */
export function claimedBounds(rule: Rule, levels: BoundLevels): Bounds {
  const all = bothBounds(rule, levels);
  const ofPass = (rule.ofPass ?? []).map(({ lower }) => lower(levels.lower));
  const bounds = { ...all, lower: all.lower === null ? null : Math.min(all.lower, ...ofPass) };
  if (rule.oneMore === undefined) return bounds;
  const again = rule.oneMore.method?.lower(levels.lower, -levels.margin) ?? null;
  return { ...bounds, lower: bounds.lower === null || again === null ? null : Math.min(bounds.lower, again) };
}

function bothBounds({ first, stricter }: Rule, { margin, upper, lower }: BoundLevels): Bounds {
  const near = -margin;
  const low = first.lower(lower, near);
  const low2 = stricter?.lower(lower, near) ?? null;
  return {
    lower: low === null || low2 === null ? (low ?? low2) : Math.min(low, low2),
    upper: claimedUpper({ first, stricter }, upper, near),
  };
}

/** Rounding decides nothing. */
export function isRejected(p: number | null, alpha: number): boolean {
  return p !== null && p <= alpha * (1 + 1e-9);
}

function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
