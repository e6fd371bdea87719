import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { syntheticSummary } from "../report/synthetic.ts";
import { reportLooks, targetLooks } from "../../src/viewer/app/parts/target-colour.ts";

type Colour = readonly [number, number, number];

/** How a dichromat sees linear light (Machado, Oliveira and Fernandes 2009, full severity). */
const visions: Record<string, readonly [Colour, Colour, Colour]> = {
  trichromacy: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const places = [0, 1, 2, 3, 4];

describe.each(["light", "dark"] as const)("the colours of targets on a %s page", (theme) => {
  const targets = places.map((place) => colourOf("parts/target-colour.css", `target-${place}`, theme));

  test("stand out from the page as pictures have to", () => {
    for (const ground of ["page", "card", "tint"]) {
      const behind = colourOf("styles.css", ground, theme);
      expect(Math.min(...targets.map((colour) => contrast(colour, behind))), ground).toBeGreaterThan(3);
    }
  });

  test.each(Object.keys(visions))("are told apart from each other, and from better and worse: %s", (vision) => {
    const seen = (colour: Colour) => asSeen(colour, vision);
    const decisions = ["better", "worse"].map((name) => seen(colourOf("styles.css", name, theme)));
    for (const [place, colour] of targets.entries()) {
      const others = [...targets.slice(place + 1).map(seen), ...decisions];
      expect(Math.min(...others.map((other) => Math.hypot(...apart(seen(colour), other)))), `${place}`).toBeGreaterThan(
        0.07,
      );
    }
  });
});

describe("the look of a target", () => {
  test("is that of its place in the suite, in whatever order targets are named and however few there are", () => {
    const suiteTargets = ["base", "one", "two"];
    const inReport = targetLooks(suiteTargets, suiteTargets);
    const inSeries = targetLooks(suiteTargets, ["one", "base", "of an older night"]);
    const [two] = [...syntheticSummary(1).targets].map((target) => ({ ...target, name: "two" }));
    const alone = reportLooks({ targets: two === undefined ? [] : [two], baseline: null, suiteTargets });
    expect(alone("two")).toEqual(inReport("two"));
    for (const name of ["base", "one", "two"]) expect(inSeries(name)).toEqual(inReport(name));
    expect(inSeries("of an older night").colour).toBe("target-3");
  });

  test("differs in colour, dashes and shape, so that no colour has to be seen", () => {
    const lookOf = targetLooks([], places.map(String));
    for (const part of ["colour", "dashes", "shape"] as const)
      expect(new Set(places.map((place) => String(lookOf(String(place))[part]))).size, part).toBe(places.length);
  });
});

test("many configurations each have a mark of their own, in the trade-off chart as in lists", () => {
  const many = Array.from({ length: 55 }, (_, place) => `variant ${place}`);
  const lookOf = targetLooks([], many);
  expect(new Set(many.map((name) => `${lookOf(name).colour} ${lookOf(name).shape}`)).size).toBe(55);
  // As many as a choice usually has do not need their colours.
  const first = many.slice(0, 11).map(lookOf);
  for (const part of ["dashes", "shape"] as const)
    expect(new Set(first.map((look) => String(look[part]))).size, part).toBe(11);
});

/** A custom property of a style sheet as linear light. */
function colourOf(file: string, name: string, theme: "light" | "dark"): Colour {
  const css = readFileSync(new URL(`../../src/viewer/app/${file}`, import.meta.url), "utf8");
  const [light = "", dark = ""] = css.split('data-theme="dark"]');
  const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(theme === "light" ? light : dark)?.[1] ?? "";
  expect(hex, `${file} --${name}`).not.toBe("");
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

function contrast(one: Colour, other: Colour): number {
  const [high = 0, low = 0] = [one, other]
    .map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b)
    .toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** A colour in OKLab, as somebody sees it. */
function asSeen(colour: Colour, vision: string): Colour {
  const through = (row: Colour): number => Math.min(1, Math.max(0, dot(row, colour)));
  const [toRed, toGreen, toBlue] = visions[vision] ?? [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const light: Colour = [through(toRed), through(toGreen), through(toBlue)];
  const cones: Colour = [
    Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], light)),
    Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], light)),
    Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], light)),
  ];
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], cones),
    dot([1.9779984951, -2.428592205, 0.4505937099], cones),
    dot([0.0259040371, 0.7827717662, -0.808675766], cones),
  ];
}

const dot = ([a, b, c]: Colour, [x, y, z]: Colour): number => a * x + b * y + c * z;
const apart = ([a, b, c]: Colour, [x, y, z]: Colour): Colour => [a - x, b - y, c - z];
