import { describe, expect, test } from "vitest";
import { type FrontPoint, frontScale, placeLabels } from "../../src/viewer/app/charts/front-scale.ts";
import { roundTicks } from "../../src/viewer/app/parts/round-ticks.ts";

const size = { width: 600, height: 300 };
const point = (x: number, y: number): FrontPoint => ({
  target: `${x}`,
  x,
  y,
  across: null,
  upright: { lower: null, upper: null },
});

describe("the picture of score against cost", () => {
  test("has the better ones above, also where lower scores are better, and stays within its edges", () => {
    const points = [point(1, 0.2), point(4, 0.9)];
    const scale = frontScale(points, size, { isTurned: false, isRate: true });
    expect(scale.y(0.9)).toBeLessThan(scale.y(0.2));
    expect(frontScale(points, size, { isTurned: true, isRate: false }).y(0.2)).toBeLessThan(
      frontScale(points, size, { isTurned: true, isRate: false }).y(0.9),
    );
    expect(scale.x(1)).toBeLessThan(scale.x(4));
    expect([scale.x(-100), scale.x(100), scale.y(-9), scale.y(9)].every((at) => at >= 0 && at <= 600)).toBe(true);
  });

  test("counts in powers where one costs many times as much as another", () => {
    const scale = frontScale([point(0.01, 0.5), point(0.1, 0.6), point(1, 0.7)], size, {
      isTurned: false,
      isRate: true,
    });
    expect(scale.x(0.1) - scale.x(0.01)).toBeCloseTo(scale.x(1) - scale.x(0.1), 6);
    expect(scale.xTicks).toEqual([0.01, 0.1, 1]);
  });

  test("has round numbers on its axes, and one where all are the same", () => {
    expect(roundTicks(0.41, 0.98, 4)).toEqual([0.6, 0.8]);
    expect(roundTicks(3, 3, 4)).toEqual([3]);
  });

  test("lets no label lie on another one or on a point, and leaves out those without room", () => {
    const points = Array.from({ length: 40 }, (_, at) => ({
      x: 200 + (at % 8) * 22,
      y: 100 + Math.floor(at / 8) * 16,
      width: 60,
    }));
    const placed = placeLabels(points, size);
    const boxes = placed.flatMap((label, at) => {
      if (label === null) return [];
      const width = points[at]?.width ?? 0;
      const left = label.anchor === "start" ? label.x : label.anchor === "end" ? label.x - width : label.x - width / 2;
      return [{ left, right: left + width, top: label.y - 11, bottom: label.y + 3 }];
    });
    expect(boxes.length).toBeGreaterThan(5);
    expect(boxes.length).toBeLessThan(40);
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1))
        expect(
          one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top,
        ).toBe(true);
      for (const { x, y } of points)
        expect(x + 5 <= one.left || x - 5 >= one.right || y + 5 <= one.top || y - 5 >= one.bottom).toBe(true);
    }
  });
});
