import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { Fault } from "../fault.ts";

/** Finds gates that could never decide, or never fail, whatever the answers are: before anything is sent. */
export function checkGateMeasures(gates: unknown, scorers: unknown): Fault[] {
  if (!Array.isArray(gates) || !Array.isArray(scorers)) return [];
  const entries = scorers.filter((entry: unknown) => isJsonObject(entry));
  return gates.flatMap((gate: unknown, i) => {
    if (!isJsonObject(gate) || gate["errors"] !== undefined) return [];
    const entry = entries.find((each) => (each["name"] ?? each["type"]) === gate["metric"]);
    const measured = entry === undefined ? null : measureOf(gate, entry);
    const found =
      keysFault(gate) ?? (measured === null ? null : measureFault(gate, measured)) ?? zeroFault(gate, measured);
    return found === null ? [] : [{ path: ["gates", i, found.key], ...found.told, atKey: false }];
  });
}

interface MeasureFault {
  key: "metric" | "margin" | "of" | "losses";
  told: Pick<Fault, "message" | "hint">;
}

/** Keys that say two things at once. */
function keysFault({ losses, margin, of }: JsonObject): MeasureFault | null {
  if (losses === undefined) return null;
  if (margin !== undefined) {
    const message = "is one of two limits: losses counts cases, a margin accepts a drop";
    return { key: "margin", told: { message, hint: "Keep one of them." } };
  }
  if (of === undefined || of === "pass") return null;
  return {
    key: "of",
    told: { message: "is not pass, but losses count passes that turn to fails", hint: "Leave it out." },
  };
}

/** With the interval of any number of equal answers, the lower bound lies below 0. */
function zeroFault({ margin }: JsonObject, measured: Measured | null): MeasureFault | null {
  if (margin !== 0) return null;
  const message = "is 0, with which no gate can pass: an interval always reaches below no difference";
  const least = "the smallest loss that matters, such as margin: 0.01";
  const hint =
    measured === null || measured.passes
      ? `Where the answers are deterministic write losses: 0; else ${least}.`
      : `Write ${least}, in the unit of the score.`;
  return { key: "margin", told: { message, hint } };
}

interface Measured {
  scale: Metric["scale"];
  passes: boolean;
  of: unknown;
}

/** Finds what the gate looks at; null where the schema refuses the scorer, which is told by it. */
function measureOf(gate: JsonObject, entry: JsonObject): Measured | null {
  const type = typeof entry["type"] === "string" ? scorerOfType(entry["type"]) : null;
  if (type === null || !type.schema.safeParse(entry).success) return null;
  const { scale, passes } = type.metricOf(entry);
  // A judge of two answers is compared by its values: half is a tie.
  const usual = passes && type.type !== "pairwise" ? "pass" : "value";
  const { of = gate["losses"] === undefined ? usual : "pass" } = gate;
  return { scale, passes, of };
}

function measureFault(gate: JsonObject, { scale, passes, of }: Measured): MeasureFault | null {
  const { margin, losses } = gate;
  const name = showText(typeof gate["metric"] === "string" ? gate["metric"] : "");
  if (of === "pass" && !passes) {
    const message =
      losses === undefined
        ? `is pass, but ${name} says neither pass nor fail`
        : `count fails, but ${name} says neither pass nor fail`;
    const hint =
      losses === undefined
        ? "Give the scorer a threshold, or compare its values: of: value."
        : "Give the scorer a threshold, or a margin instead.";
    return { key: losses === undefined ? "of" : "losses", told: { message, hint } };
  }
  if (losses !== undefined) return null;
  if (of === "median" && scale.kind === "pass") {
    const message = `is median, but ${name} is 0 or 1: the median of such differences is nearly always 0`;
    return { key: "of", told: { message, hint: "Leave it out: a pass rate is compared by its mean." } };
  }
  if (margin === undefined && (of === "value" || of === "median") && scale.kind === "unbounded") {
    const message = `is ${name}, which has no bounds: nothing says what a small loss of it is`;
    return { key: "metric", told: { message, hint: "Add the margin, in its own unit; or compare ratios: of: ratio." } };
  }
  if (typeof margin !== "number" || of === "ratio") return null;
  const { min, max } =
    of === "pass" || scale.kind === "pass" ? { min: 0, max: 1 } : scale.kind === "bounded" ? scale : endless;
  if (margin < max - min) return null;
  const message = `is ${margin}, but ${name} lies between ${min} and ${max} and cannot fall by as much`;
  return {
    key: "margin",
    told: { message, hint: max === 1 && min === 0 ? share(margin) : "Write it in the unit of the score." },
  };
}

/** A gate for each value of a tag needs the tag. The column `language` is one by itself. */
export function checkGateTags(gates: unknown, mapping: unknown): Fault[] {
  if (!Array.isArray(gates)) return [];
  const given = isJsonObject(mapping) ? mapping["tags"] : undefined;
  const tags = Array.isArray(given) ? given.filter((tag) => typeof tag === "string") : [];
  return gates.flatMap((gate: unknown, i) => {
    const by = isJsonObject(gate) ? gate["by"] : undefined;
    if (typeof by !== "string" || by === "language" || tags.includes(by)) return [];
    const hint = didYouMean(by, tags) ?? `Add it: case: { tags: [${[...tags, by].join(", ")}] }.`;
    return [
      { path: ["gates", i, "by"], message: `names ${showText(by)}, which is no tag of the cases`, hint, atKey: false },
    ];
  });
}

const endless = { min: -Infinity, max: Infinity };

/** A person who writes 5 means five points. */
function share(margin: number): string {
  const told = margin >= 1 && margin <= 100 ? margin : 5;
  return `${told} ${told === 1 ? "point is" : "points are"} ${Number((told / 100).toPrecision(12))}.`;
}
