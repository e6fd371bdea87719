import type { PastBatch } from "../../../report/shape/model.ts";

/** Room around the lines of a series, in pixels. */
export const edges = { left: 52, right: 12, top: 22, bottom: 34 };

/** Places of nights and values in a picture of a series. */
export interface SeriesScale {
  /** Middle of a night's column, and its width. */
  x: (place: number) => number;
  step: number;
  y: (value: number) => number;
  low: number;
  high: number;
}

/** True for a night whose values are no measurement: too much of it is missing, so that no line and no scale goes by them. */
export const isUnmeasured = ({ verdict }: Pick<PastBatch, "verdict">): boolean => verdict === "invalid";

/**
 * Nights stand at equal steps; the values fill the height, with a little room above and below. Those of an invalid night set no
 * scale where another has any, and stand at its edge where they lie beyond it.
 */
export function seriesScale(
  past: readonly PastBatch[],
  metric: string,
  { width, height }: { width: number; height: number },
): SeriesScale {
  const measured = past.filter(
    (night) => !isUnmeasured(night) && Object.values(night.scores).some((own) => metric in own),
  );
  const values = (measured.length === 0 ? past : measured).flatMap(({ scores }) =>
    Object.values(scores).flatMap(({ [metric]: score }) =>
      [score?.value, score?.interval?.lower, score?.interval?.upper].filter((value) => typeof value === "number"),
    ),
  );
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least || Math.abs(most) || 1) * 0.06;
  const [low, high] = values.length === 0 ? [0, 1] : [least - room, most + room];
  const step = (width - edges.left - edges.right) / Math.max(1, past.length);
  const rise = height - edges.top - edges.bottom;
  return {
    x: (place) => edges.left + step * (place + 0.5),
    step,
    y: (value) => edges.top + (1 - (Math.max(low, Math.min(high, value)) - low) / (high - low)) * rise,
    low: least,
    high: most,
  };
}

/** The targets of the nights: those of the latest in their order, then those that only earlier ones had. */
export function seriesTargets(past: readonly PastBatch[]): string[] {
  return [...new Set(past.toReversed().flatMap(({ scores }) => Object.keys(scores)))];
}
