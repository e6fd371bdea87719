import { unitOfTime } from "../lib/duration.ts";
import type { Rate } from "./suite.ts";

/** Form of a rate in the suite file: `2/s`, `10/m`, `100/h`. */
export const ratePattern = /^([1-9]\d{0,8})\/(s|m|h)$/;

/** The rate that a text matching `ratePattern` states; null when it does not match. */
export function parseRate(text: string): Rate | null {
  const [, count, unit = ""] = ratePattern.exec(text) ?? [];
  const windowMs = unitOfTime(unit);
  return count === undefined || windowMs === null ? null : { count: Number(count), windowMs };
}
