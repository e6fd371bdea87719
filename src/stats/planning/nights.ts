/** The chance of at least one false alarm in so many nights, each tested at alpha. */
export function nightlyFalseAlarm(alpha: number, nights: number): number {
  return -Math.expm1(nights * Math.log1p(-alpha));
}

/** The alpha of the whole window, as it was before `perNightAlpha`. */
export function windowAlpha(alpha: number, nights: number): number {
  return nights === 1 ? alpha : nightlyFalseAlarm(alpha, nights);
}

/** Z. Sidak (1967): the alpha of one night that makes it `familyAlpha` over the window. */
export function perNightAlpha(familyAlpha: number, nights: number): number {
  return nights <= 0 ? familyAlpha : -Math.expm1(Math.log1p(-familyAlpha) / nights);
}
