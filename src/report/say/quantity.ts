/** `1,190`; of a whole number without the tables of locales, whose first use costs a short run 30 ms. */
export function number(count: number): string {
  if (!Number.isSafeInteger(count)) return count.toLocaleString("en-US");
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 case`, `20 cases` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** `81 %`: of an estimate, which has no better digits. */
export function wholeShare(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** A text as the beginning of a sentence. */
export function capitalised(text: string): string {
  return text.replace(/^./u, (letter) => letter.toUpperCase());
}

/** The unit of every cost: a price is a number in credits or money, as somebody counts. */
export const priceUnit = "in the unit of your prices";

/** An amount that was paid, in any unit the price has. */
export function price(cost: number): string {
  return cost.toLocaleString("en-US", cost < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 });
}

/** `0.4 ms`, `120 ms`, `12.3 s`, `3 min 20 s`, `2 h 5 min` */
export function duration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${Math.round(milliseconds * 10) / 10} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Rounded up to two digits, which are all that an estimate of cases has. */
export function roughly(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.ceil(count / step) * step;
}

/** The heads of columns with the time that all answers of a target took. */
export const timeHeads = { median: "median time", almostAll: "99 % within" } as const;
