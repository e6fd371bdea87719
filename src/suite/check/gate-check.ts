import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { scorerOfType } from "../../score/registry.ts";
import { fault, type Fault } from "../../lib/fault.ts";
import { type GateKind, gateKinds, kindOfGate, namedLimits, triesOf } from "../gate-settings.ts";
import type { Sections } from "../schema/sections.ts";

type Gate = NonNullable<NonNullable<Sections["gates"]>[number]>;
type Scorer = NonNullable<Sections["scorers"]>[number];
type ScorerType = NonNullable<ReturnType<typeof scorerOfType>>;
/** A key of a gate (null: the gate itself), the message and the advice. */
type Found = [key: keyof Gate | null, message: string, hint?: string | null] | null;

interface Rule {
  /** Its own words, where it excludes another limit, another `of`, or a scorer without a pass. */
  does: string;
  notOf: string;
  needsPass: { key: keyof Gate; says: string; or: string };
  /** It asks for a mean over the cases, which labels can correct. */
  asksMean: boolean;
  /** A limit that could never decide, or never fail. */
  idle(gate: Gate, about: Compared): Found;
}

const rules: Record<GateKind, Rule> = {
  margin: {
    asksMean: true,
    idle: (gate, about) => wideMargin(gate, about) ?? noMargin(gate, about.metric),
    does: "a margin accepts a drop",
    notOf: "",
    needsPass: { key: "of", says: "is pass, but", or: "or compare its values: of: value." },
  },
  losses: {
    asksMean: false,
    idle: () => null,
    does: "losses counts cases",
    notOf: "losses count passes that turn to fails",
    needsPass: { key: "losses", says: "count fails, but", or: "or a margin instead." },
  },
  cases: {
    asksMean: false,
    idle: (gate, { repeats }) => otherTries(gate, repeats),
    does: "cases asks each case for passes",
    notOf: "cases counts tries that pass",
    needsPass: { key: "cases", says: "counts passes, but", or: "or a margin instead." },
  },
};

/** Finds gates that contradict themselves, and those that could never decide, or never fail, whatever the answers are. */
export function gateFaults({ gates = [], scorers, repeats, case: mapping }: Sections): Fault[] {
  const names = (scorers ?? []).flatMap(({ name, type }) => name ?? type ?? []);
  const seen = new Set<string>();
  return gates.flatMap((gate, at) => {
    if (gate === undefined) return [];
    const { metric, errors } = gate;
    const isSecond = seen.has(idOf(gate));
    seen.add(idOf(gate));
    const scorer = scorers?.find(({ name, type }) => (name ?? type) === metric);
    const found: Found[] =
      (metric === undefined) === (errors === undefined)
        ? [[null, "must have either metric or errors"]]
        : metric === undefined
          ? [...aboutMetric(gate), isSecond ? [null, "is a second limit of errors", "Keep one of them."] : null]
          : [
              unknownMetric(metric, names),
              isSecond ? [null, `is a second gate of ${showText(metric)}`, "Keep one of them."] : null,
              scorers === undefined ? null : undecidable(gate, scorer, repeats),
              unknownTag(gate, mapping?.tags ?? []),
            ];
    return found.flatMap((each) =>
      each === null ? [] : [fault(["gates", at, ...(each[0] === null ? [] : [each[0]])], each[1], each[2])],
    );
  });
}

const idOf = (gate: Gate): string =>
  gate.errors === undefined ? JSON.stringify([gate.metric, gate.of, kindOfGate(gate), gate.by]) : "errors";

const aboutMetric = (gate: Gate): Found[] =>
  ([...namedLimits(gate), "of", "by"] as const).map((key) =>
    gate[key] === undefined ? null : [key, "is about a metric, not about errors"],
  );

function unknownMetric(metric: string, names: readonly string[]): Found {
  if ([...names, "checks"].includes(metric)) return null;
  const message = `names the scorer ${showText(metric)}, `;
  return names.length === 0
    ? ["metric", `${message}but the suite has no scorers`, "Add it to scorers."]
    : ["metric", `${message}which does not exist`, didYouMean(metric, names) ?? `The suite has: ${names.join(", ")}.`];
}

/** A gate for each value of a tag needs the tag. The column `language` is one by itself. */
function unknownTag({ by }: Gate, tags: readonly string[]): Found {
  if (by === undefined || by === "language" || tags.includes(by)) return null;
  const hint = didYouMean(by, tags) ?? `Add it: case: { tags: [${[...tags, by].join(", ")}] }.`;
  return ["by", `names ${showText(by)}, which is no tag of the cases`, hint];
}

function undecidable(gate: Gate, scorer: Scorer | undefined, repeats: number): Found {
  const kind = kindOfGate(gate);
  const type = scorerOfType(scorer?.type ?? "");
  // One that does not fit its schema is told there.
  const known = type?.schema.safeParse(scorer).success === true ? type : null;
  const own = twoLimits(gate, kind) ?? (known === null ? null : withoutLabels(gate, known, kind));
  if (own !== null) return own;
  const name = showText(gate.metric ?? "");
  const metric = scorer === undefined ? null : (known?.metricOf(scorer) ?? null);
  // A judge of two answers is compared by its values: half is a tie.
  const usual = metric?.passes === true && type?.type !== "pairwise" ? "pass" : "value";
  const of = gate.of ?? gateKinds[kind].of ?? usual;
  if (metric !== null && of === "pass" && !metric.passes) {
    const { key, says, or } = rules[kind].needsPass;
    return [key, `${says} ${name} says neither pass nor fail`, `Give the scorer a threshold, ${or}`];
  }
  return rules[kind].idle(gate, { name, of, metric, repeats });
}

function twoLimits(gate: Gate, kind: GateKind): Found {
  const [key, other] = namedLimits(gate);
  if (key !== undefined && other !== undefined)
    return [key, `is one of two limits: ${rules[other].does}, ${rules[key].does}`, "Keep one of them."];
  if (gateKinds[kind].of === null || gate.of === undefined || gate.of === gateKinds[kind].of) return null;
  return ["of", `is not pass, but ${rules[kind].notOf}`, "Leave it out."];
}

/** Labels of people correct a judge, in the mean over its cases. */
function withoutLabels({ require, metric = "", of }: Gate, { type, family }: ScorerType, kind: GateKind): Found {
  if (require !== "labels") return null;
  const name = showText(metric);
  if (family !== "judge")
    return [
      "require",
      `is labels, but ${name} is no judge: people's labels correct a judge`,
      "Leave it out, or name a judge.",
    ];
  if (type === "pairwise")
    return [
      "require",
      `is labels, but ${name} compares two answers: people's labels are of one answer each`,
      "Leave it out, or name a judge that grades one answer.",
    ];
  const { asksMean } = rules[kind];
  if (asksMean && of !== "median" && of !== "ratio") return null;
  const what = asksMean ? `of: ${showText(of ?? "")}` : kind;
  return [
    "require",
    `is labels, but ${what} asks for no mean: people's labels correct a mean over all cases`,
    "Give the gate a margin, of a pass rate or a mean value.",
  ];
}

/** The tries that a gate asks for have to be those of the plan. */
function otherTries({ cases, confirm }: Gate, repeats: number): Found {
  if (cases === undefined) return null;
  const asked = triesOf(cases);
  if (asked === null) {
    const message = `asks for ${showText(cases.pass)}: it takes a number of passes and a number of tries`;
    return ["cases", message, "Write pass: 3 of 5, with at least 1 pass and no more passes than tries."];
  }
  const planned = repeats === 1 ? "once" : `${repeats} times`;
  if (asked.of !== repeats)
    return [
      "cases",
      `asks for ${asked.of} tries, but each case is tried ${planned}`,
      `Set repeats: ${asked.of} in the suite.`,
    ];
  return confirm === true ? ["confirm", "is rerun, but the tries of cases are asked already", "Leave it out."] : null;
}

interface Compared {
  name: string;
  of: NonNullable<Gate["of"]>;
  /** null: nothing is known of the scorer. */
  metric: ReturnType<ScorerType["metricOf"]> | null;
  repeats: number;
}

function wideMargin({ margin }: Gate, { name, of, metric }: Compared): Found {
  if (metric === null) return null;
  const { scale } = metric;
  if (of === "median" && scale.kind === "pass")
    return [
      "of",
      `is median, but ${name} is 0 or 1: the median of such differences is nearly always 0`,
      "Leave it out: a pass rate is compared by its mean.",
    ];
  if (margin === undefined && (of === "value" || of === "median") && scale.kind === "unbounded")
    return [
      "metric",
      `is ${name}, which has no bounds: nothing says what a small loss of it is`,
      "Add the margin, in its own unit; or compare ratios: of: ratio.",
    ];
  const [min, max] =
    of === "pass" || scale.kind === "pass"
      ? [0, 1]
      : scale.kind === "bounded"
        ? [scale.min, scale.max]
        : [-Infinity, Infinity];
  if (margin === undefined || of === "ratio" || margin < max - min) return null;
  const message = `is ${margin}, but ${name} lies between ${min} and ${max} and cannot fall by as much`;
  return ["margin", message, max === 1 && min === 0 ? asShare(margin) : "Write it in the unit of the score."];
}

/** With the interval of any number of equal answers, the lower bound lies below 0. */
function noMargin({ margin }: Gate, metric: Compared["metric"]): Found {
  if (margin !== 0) return null;
  const least = "Write the smallest loss that matters, such as margin: 0.01";
  const hint =
    metric === null || metric.passes
      ? `${least}. To decide by these rows alone: losses: 0 where answers repeat themselves, as those of functions do, or together with repeats: 3.`
      : `${least}, in the unit of the score.`;
  return ["margin", "is 0, with which no gate can pass: an interval always reaches below no difference", hint];
}

/** A person who writes 5 means five points. */
function asShare(margin: number): string {
  const points = margin >= 1 && margin <= 100 ? margin : 5;
  return `${points} ${points === 1 ? "point is" : "points are"} ${Number((points / 100).toPrecision(12))}.`;
}
