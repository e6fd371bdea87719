/** P values of what the first method rejects; null for what it does not. */
export interface StricterP {
  /** `counted`: outcome by outcome, where few passes and fails differ; `skewness`: t corrected for it, where it is beyond 1. */
  by: "counted" | "skewness";
  pRegression: number | null;
  pPass: number | null;
}

interface Asked {
  /** False: nothing is decided, so nothing is asked. */
  decides?: boolean;
  confidence?: number;
  passConfidence?: number;
  again: () => OneSided | null;
}

interface OneSided {
  pGreater: number | null;
  pLess: number | null;
}

/** Asks a stricter method about what the first rejects at the level of its side: what it does not reject is not claimed anyway. */
export function stricterP(
  by: StricterP["by"],
  { pLess, pGreater }: OneSided,
  { decides = true, confidence = 0.95, passConfidence = confidence, again }: Asked,
): StricterP | null {
  const [worse, not] = [isRejected(pLess, confidence), isRejected(pGreater, passConfidence)];
  const found = decides && (worse || not) ? again() : null;
  if (found === null) return null;
  return { by, pRegression: worse ? found.pLess : null, pPass: not ? found.pGreater : null };
}

function isRejected(p: number | null, sure: number): boolean {
  return p !== null && p <= (1 - sure) * (1 + 1e-9);
}
