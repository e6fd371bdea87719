/** Asks each case several times: so many of the tries have to pass. */
export interface TriesAsked {
  pass: number;
  of: number;
}

/** Chance that a case which passes this share of its tries passes fewer than are asked: exact, by the binomial. */
export function chanceToFail(share: number, { pass, of }: TriesAsked): number {
  let [sum, ways] = [0, 1];
  for (let passes = 0; passes < pass; passes++) {
    sum += ways * share ** passes * (1 - share) ** (of - passes);
    ways = (ways * (of - passes)) / (passes + 1);
  }
  return Math.min(1, sum);
}

/** Chance that at least one of so many such cases does: no sum of small terms is lost beside 1. */
export function chanceOfAny(chance: number, cases: number): number {
  return -Math.expm1(cases * Math.log1p(-Math.min(chance, 1 - Number.EPSILON)));
}

/** False alarms of unchanged rows, by their reliability, which a few passed tries do not reveal. */
export interface FalseAlarm {
  /** Share of its tries that a row passes. */
  share: number;
  /** Chance that one such row fails the gate, and that at least one of all does. */
  row: number;
  any: number;
}

export function falseAlarms(asked: TriesAsked, cases: number): FalseAlarm[] {
  return [0.9, 0.95, 0.99].map((share) => {
    const row = chanceToFail(share, asked);
    return { share, row, any: chanceOfAny(row, cases) };
  });
}
