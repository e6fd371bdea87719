import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import { scorerOfType } from "../../score/registry.ts";
import { type GateKind, gateKinds, kindOfGate, namedLimits, triesOf } from "../gate-settings.ts";
import type { Fault } from "../fault.ts";

/** Finds gates that could never decide, or never fail, whatever the answers are: before anything is sent. */
export function checkGateMeasures(gates: unknown, scorers: unknown, runs: unknown): Fault[] {
  const repeats = typeof runs === "number" ? runs : 1;
  if (!Array.isArray(gates) || !Array.isArray(scorers)) return [];
  const entries = scorers.filter((entry: unknown) => isJsonObject(entry));
  return gates.flatMap((gate: unknown, i) => {
    if (!isJsonObject(gate) || gate["errors"] !== undefined) return [];
    const entry = entries.find((each) => (each["name"] ?? each["type"]) === gate["metric"]);
    const measured = entry === undefined ? null : measureOf(gate, entry);
    const kind = kindOfGate(gate);
    const found =
      keysFault(gate) ??
      requireFault(gate, entry) ??
      (measured === null ? null : passFault(gate, measured, rules[kind].noPass)) ??
      rules[kind].fault(gate, measured, repeats);
    return found === null ? [] : [{ path: ["gates", i, found.key], ...found.told, atKey: false }];
  });
}

interface MeasureFault {
  key: "metric" | "of" | "confirm" | "require" | GateKind;
  told: Pick<Fault, "message" | "hint">;
}

/** One kind of gate, as it may be written. */
interface LimitRule {
  /** Told where two limits are written. */
  does: string;
  /** Told of another `of`, where the kind has one of its own. */
  notOf: string;
  /** A scorer that says neither pass nor fail, where one is needed. */
  noPass: { key: MeasureFault["key"]; says: string; hint: string };
  /** Faults of the limit itself: null where nothing is known of the metric. */
  fault: (gate: JsonObject, measured: Measured | null, repeats: number) => MeasureFault | null;
}

const rules: Record<GateKind, LimitRule> = {
  margin: {
    does: "a margin accepts a drop",
    notOf: "",
    noPass: {
      key: "of",
      says: "is pass, but",
      hint: "Give the scorer a threshold, or compare its values: of: value.",
    },
    fault: (gate, measured) => (measured === null ? null : marginFault(gate, measured)) ?? zeroFault(gate, measured),
  },
  losses: {
    does: "losses counts cases",
    notOf: "losses count passes that turn to fails",
    noPass: {
      key: "losses",
      says: "count fails, but",
      hint: "Give the scorer a threshold, or a margin instead.",
    },
    fault: () => null,
  },
  cases: {
    does: "cases asks each case for passes",
    notOf: "cases counts tries that pass",
    noPass: {
      key: "cases",
      says: "counts passes, but",
      hint: "Give the scorer a threshold, or a margin instead.",
    },
    fault: triesFault,
  },
};

function atCases(message: string, hint: string): MeasureFault {
  return { key: "cases", told: { message, hint } };
}

/** The tries that a gate asks for have to be those of the plan: neither fewer, nor more of which it would look at some. */
function triesFault({ cases, confirm }: JsonObject, _: Measured | null, repeats: number): MeasureFault | null {
  const pass = isJsonObject(cases) ? cases["pass"] : undefined;
  if (typeof pass !== "string") return null;
  const asked = triesOf({ pass });
  if (asked === null) {
    const message = `asks for ${showText(pass)}: it takes a number of passes and a number of tries`;
    return atCases(message, "Write pass: 3 of 5, with at least 1 pass and no more passes than tries.");
  }
  if (asked.of !== repeats) {
    const planned = repeats === 1 ? "each case is tried once" : `each case is tried ${repeats} times`;
    return atCases(`asks for ${asked.of} tries, but ${planned}`, `Set repeats: ${asked.of} in the suite.`);
  }
  if (confirm !== "rerun") return null;
  return {
    key: "confirm",
    told: { message: "is rerun, but the tries of cases are asked already", hint: "Leave it out." },
  };
}

/** Keys that say two things at once. */
function keysFault(gate: JsonObject): MeasureFault | null {
  const [key, other] = namedLimits(gate);
  if (key !== undefined && other !== undefined) {
    const message = `is one of two limits: ${rules[other].does}, ${rules[key].does}`;
    return { key, told: { message, hint: "Keep one of them." } };
  }
  const kind = kindOfGate(gate);
  const { of } = gate;
  if (gateKinds[kind].of === null || of === undefined || of === gateKinds[kind].of) return null;
  return { key: "of", told: { message: `is not pass, but ${rules[kind].notOf}`, hint: "Leave it out." } };
}

/** Labels of people correct a judge, in the mean over its cases. */
function requireFault(gate: JsonObject, entry: JsonObject | undefined): MeasureFault | null {
  if (gate["require"] !== "labels" || entry === undefined) return null;
  const { type } = entry;
  const isJudge = typeof type === "string" && scorerOfType(type)?.family === "judge";
  if (!isJudge) {
    const message = `is labels, but ${metricName(gate)} is no judge: people's labels correct a judge`;
    return { key: "require", told: { message, hint: "Leave it out, or name a judge." } };
  }
  if (type === "pairwise") {
    const message = `is labels, but ${metricName(gate)} compares two answers: people's labels are of one answer each`;
    return { key: "require", told: { message, hint: "Leave it out, or name a judge that grades one answer." } };
  }
  const { of } = gate;
  if (kindOfGate(gate) === "margin" && of !== "median" && of !== "ratio") return null;
  const what = kindOfGate(gate) === "margin" ? `of: ${showText(typeof of === "string" ? of : "")}` : kindOfGate(gate);
  const message = `is labels, but ${what} asks for no mean: people's labels correct a mean over all cases`;
  return { key: "require", told: { message, hint: "Give the gate a margin, of a pass rate or a mean value." } };
}

/** With the interval of any number of equal answers, the lower bound lies below 0. */
function zeroFault({ margin }: JsonObject, measured: Measured | null): MeasureFault | null {
  if (margin !== 0) return null;
  const message = "is 0, with which no gate can pass: an interval always reaches below no difference";
  const least = "the smallest loss that matters, such as margin: 0.01";
  const hint =
    measured === null || measured.passes
      ? `Write ${least}. To decide by these rows alone: losses: 0 where answers repeat themselves, as those of functions do, or together with repeats: 3.`
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
  const { of = gateKinds[kindOfGate(gate)].of ?? usual } = gate;
  return { scale, passes, of };
}

/** A pass rate of what neither passes nor fails. */
function passFault(gate: JsonObject, { passes, of }: Measured, { key, says, hint }: LimitRule["noPass"]) {
  if (of !== "pass" || passes) return null;
  return { key, told: { message: `${says} ${metricName(gate)} says neither pass nor fail`, hint } };
}

function metricName({ metric }: JsonObject): string {
  return showText(typeof metric === "string" ? metric : "");
}

function marginFault(gate: JsonObject, { scale, of }: Measured): MeasureFault | null {
  const { margin } = gate;
  const name = metricName(gate);
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
  const reported = margin >= 1 && margin <= 100 ? margin : 5;
  return `${reported} ${reported === 1 ? "point is" : "points are"} ${Number((reported / 100).toPrecision(12))}.`;
}
