import { roundTicks } from "../parts/round-ticks.ts";

/** Room around the points of a picture of score against cost or time, in pixels. */
export const frontEdges = { left: 56, right: 16, top: 14, bottom: 40 };

/** A configuration as a picture shows it; an end that is null runs to the edge. */
export interface FrontPoint {
  target: string;
  x: number;
  y: number;
  across: { lower: number; upper: number } | null;
  upright: { lower: number | null; upper: number | null };
}

interface Size {
  width: number;
  height: number;
}

export interface FrontScale {
  x: (value: number) => number;
  y: (value: number) => number;
  xTicks: number[];
  yTicks: number[];
}

const keep = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** So many times the least the most may be before the way across is counted in powers. */
const mostTimes = 12;

/** The scales of a picture. Better is up: `isTurned` where lower scores are better. `isRate`: no score leaves 0 to 1. */
export function frontScale(
  points: readonly FrontPoint[],
  { width, height }: Size,
  { isTurned, isRate }: { isTurned: boolean; isRate: boolean },
): FrontScale {
  const across = points.flatMap(({ x, across: range }) => [x, range?.lower ?? x, range?.upper ?? x]);
  const upright = points.flatMap(({ y, upright: { lower, upper } }) => [y, lower ?? y, upper ?? y]);
  const [leastX, mostX] = [Math.min(...across), Math.max(...across)];
  const isPowers = leastX > 0 && mostX / leastX > mostTimes;
  const bend = isPowers ? Math.log : (value: number): number => value;
  const roomX = (bend(mostX) - bend(leastX) || Math.abs(bend(mostX)) || 1) * 0.08;
  const [fromX, toX] = [bend(leastX) - roomX, bend(mostX) + roomX];
  const cut = (value: number): number => (isRate ? Math.max(0, Math.min(1, value)) : value);
  const [leastY, mostY] = [cut(Math.min(...upright)), cut(Math.max(...upright))];
  const roomY = (mostY - leastY || Math.abs(mostY) || 1) * 0.06;
  const [fromY, toY] = [leastY - roomY, mostY + roomY];
  const [across0, across1] = [frontEdges.left, width - frontEdges.right];
  const [bottom, top] = [height - frontEdges.bottom, frontEdges.top];
  const share = (value: number): number => (cut(value) - fromY) / (toY - fromY);
  return {
    x: (value) => keep(across0 + ((bend(value) - fromX) / (toX - fromX)) * (across1 - across0), across0, across1),
    y: (value) => keep(bottom + (isTurned ? 1 - share(value) : share(value)) * (top - bottom), top, bottom),
    xTicks: isPowers ? powersBetween(leastX, mostX) : roundTicks(leastX, mostX, Math.max(2, Math.floor(width / 130))),
    yTicks: roundTicks(leastY, mostY, 4),
  };
}

function powersBetween(least: number, most: number): number[] {
  const from = Math.floor(Math.log10(least));
  const all = Array.from({ length: 24 }, (_, at) => from + Math.floor(at / 3)).map((power, at) =>
    Number((([1, 2, 5][at % 3] ?? 1) * 10 ** power).toPrecision(3)),
  );
  const within = all.filter((value) => value >= least * 0.999 && value <= most * 1.001);
  const whole = within.filter((value) => Number.isInteger(Math.round(Math.log10(value) * 1e6) / 1e6));
  return within.length > 5 && whole.length > 1 ? whole : within;
}

/** The place of a label: the corner at which its text begins or ends. */
export interface LabelPlace {
  x: number;
  y: number;
  anchor: "start" | "end" | "middle";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const lineHeight = 15;
const away = 9;

const touches = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/**
 * Places for the labels of points, in their order of weight, so that none lies on another one or on a point: beside, above or below
 * its own. Null: there is no room, and the table beside the picture names it.
 */
export function placeLabels(
  points: readonly { x: number; y: number; width: number }[],
  { width, height }: Size,
): (LabelPlace | null)[] {
  const taken: Box[] = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  return points.map(({ x, y, width: text }) => {
    const offers: LabelPlace[] = [
      { x: x + away, y: y + 4, anchor: "start" },
      { x: x - away, y: y + 4, anchor: "end" },
      { x, y: y - away - 2, anchor: "middle" },
      { x, y: y + away + 10, anchor: "middle" },
      { x: x + away - 2, y: y - away + 1, anchor: "start" },
      { x: x + away - 2, y: y + away + 7, anchor: "start" },
      { x: x - away + 2, y: y - away + 1, anchor: "end" },
      { x: x - away + 2, y: y + away + 7, anchor: "end" },
    ];
    for (const offer of offers) {
      const left = offer.anchor === "start" ? offer.x : offer.anchor === "end" ? offer.x - text : offer.x - text / 2;
      const box = { left: left - 1, right: left + text + 1, top: offer.y - lineHeight + 3, bottom: offer.y + 4 };
      if (box.left < 0 || box.right > width || box.top < 0 || box.bottom > height - frontEdges.bottom + 12) continue;
      if (taken.some((other) => touches(box, other))) continue;
      taken.push(box);
      return offer;
    }
    return null;
  });
}
