import { limitFigure, loss, lossBeside } from "./figures.ts";
import type { KindWords } from "./kind-words.ts";

/** Words of a gate that accepts a margin, and of a metric without a gate. */
export const marginWords: KindWords = {
  bound({ state, interval, margin, sides }, metric) {
    if (interval === null || margin === null) return null;
    if (sides === 2) return `a gain of at least ${loss(interval.lower, metric)}; limit ${limitFigure(margin, metric)}`;
    const [least, most] = [-interval.upper, -interval.lower];
    const size = (value: number): string => lossBeside(value, margin, metric);
    const limit = `limit ${limitFigure(margin, metric)}`;
    if (state === "regression") return `a loss of at least ${size(least)}; ${limit}`;
    if (most <= 0) return `no loss; ${limit}`;
    if (state === "pass") return `a loss of at most ${size(most)}; ${limit}`;
    return `a loss of ${least > 0 ? `at least ${size(least)}, ` : ""}up to ${size(most)}; ${limit}`;
  },
  limit: ({ margin }, metric) => (margin === null ? "" : ` (limit ${limitFigure(margin, metric)})`),
  failing: () => null,
};
