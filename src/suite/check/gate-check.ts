import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { Fault } from "../fault.ts";

/** Finds gates that could never decide, or never fail, whatever the answers are: before anything is sent. */
export function checkGateMeasures(gates: unknown, scorers: unknown): Fault[] {
  if (!Array.isArray(gates) || !Array.isArray(scorers)) return [];
  const entries = scorers.filter((entry: unknown) => isJsonObject(entry));
  return gates.flatMap((gate: unknown, i) => {
    if (!isJsonObject(gate)) return [];
    const entry = entries.find((each) => (each["name"] ?? each["type"]) === gate["metric"]);
    const found = entry === undefined ? null : measureFault(gate, entry);
    return found === null ? [] : [{ path: ["gates", i, found.key], ...found.told, atKey: false }];
  });
}

interface MeasureFault {
  key: "metric" | "margin" | "of";
  told: Pick<Fault, "message" | "hint">;
}

function measureFault(gate: JsonObject, entry: JsonObject): MeasureFault | null {
  const type = typeof entry["type"] === "string" ? scorerOfType(entry["type"]) : null;
  // Entries that the schema refuses are told by the schema.
  if (type === null || !type.schema.safeParse(entry).success) return null;
  const { scale, passes } = type.metricOf(entry);
  // A judge of two answers is compared by its values: half is a tie.
  const { of = passes && type.type !== "pairwise" ? "pass" : "value", margin } = gate;
  const name = showText(typeof gate["metric"] === "string" ? gate["metric"] : "");
  if (of === "pass" && !passes) {
    const message = `is pass, but ${name} says neither pass nor fail`;
    return { key: "of", told: { message, hint: "Give the scorer a threshold, or compare its values: of: value." } };
  }
  if (margin === undefined && of === "value" && scale.kind === "unbounded") {
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

const endless = { min: -Infinity, max: Infinity };

/** A person who writes 5 means five points. */
function share(margin: number): string {
  const told = margin >= 1 && margin <= 100 ? margin : 5;
  return `${told} ${told === 1 ? "point is" : "points are"} ${Number((told / 100).toPrecision(12))}.`;
}
