import { z } from "zod";
import type { Price } from "../api/price.ts";
import { faultsOf } from "../lib/fault.ts";
import { replacementOf } from "../lib/replaced.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { didYouMean } from "../lib/suggest.ts";
import { catalogue } from "./catalogue.ts";
import { pricesKey } from "./checks/run-amounts.ts";
import { defineScorer, type RegisteredScorer } from "./contract/define.ts";
import { attempt } from "./contract/guard.ts";
import { loadSchemas } from "./json/schema-check.ts";
import { loadLiquid } from "./contract/expected.ts";
import type { Answer, PureScorer, Score, ScorerContext } from "./contract/scorer.ts";
import { areShares } from "./contract/scale.ts";
import { scorerSpec, type ScorerSpec } from "./contract/spec.ts";
import {
  checkEntry,
  gradedEntries,
  isOfCost,
  meanOfParts,
  ownEntries,
  rowEntries,
  namedScorerEntry,
  scorerIn,
  setEntry,
  type RowEntry,
  type RowPart,
} from "./contract/row-entries.ts";

/**
 * Checks a scorer in a cell like an entry of the suite's `scorers`; else one sentence says what is wrong with it. A row
 * may only have scorers that grade at once: no judge, module, command or network.
 */
export function checkScorer(value: JsonValue): CheckedScorer {
  if (!isJsonObject(value))
    return { ok: false, fault: 'a check must be a JSON object such as {"type": "contains", "value": "x"}' };
  if ("scorer" in value) return fitting(value, namedScorerEntry, "the check by a scorer");
  if (!("set" in value)) return checkOne(value);
  const set = fitting(value, setEntry, "the set of checks");
  const inner = set.ok ? setEntry.parse(value).set.map(checkOne) : [];
  return inner.find(({ ok }) => !ok) ?? set;
}

/** The columns that a scorer of a cell reads by their names. */
export function columnsOfCheck(value: JsonObject): readonly string[] {
  if ("set" in value) return setEntry.parse(value).set.flatMap(columnsOfCheck);
  const { type: name } = value;
  const columns = typeof name === "string" ? typeOf(name)?.columnsRead(scorerIn(value)) : undefined;
  return columns === undefined || columns === "all" ? [] : columns;
}

type CheckedScorer = { ok: true; scorer: JsonObject } | { ok: false; fault: string };

/** Looks at an entry that is one check. */
function checkOne(value: JsonObject): CheckedScorer {
  const { type: name } = value;
  const type = typeof name === "string" ? typeOf(name) : null;
  if (type === null || !type.forRows) {
    const known = catalogue.filter(({ forRows }) => forRows).map((each) => each.type);
    if (type !== null)
      return {
        ok: false,
        fault: `a check of type ${type.type} cannot be made for a single row: put it into the suite's scorers`,
      };
    const hint = typeof name === "string" ? (replacementOf("scorer", name) ?? didYouMean(name, known)) : null;
    return {
      ok: false,
      fault: `the type of a check must be one of ${known.join(", ")}, got ${JSON.stringify(name ?? null)}${hint === null ? "" : `. ${hint}`}`,
    };
  }
  const what = `the check ${type.type}`;
  const entry = fitting(value, checkEntry, what);
  const checked = entry.ok ? fitting(scorerIn(value), type.schema, what) : entry;
  const uncounted = checked.ok ? valueFault(value, type) : null;
  if (uncounted !== null) return { ok: false, fault: `${what}: ${uncounted}` };
  return checked.ok ? { ok: true, scorer: value } : checked;
}

/** Says of a check whose value would count in the row that it is no share of 1; null: it is one, or its pass counts. */
function valueFault(written: JsonObject, type: RegisteredScorer): string | null {
  const entry = scorerIn(written);
  const metric = type.metricOf(entry);
  const { use, weight, metric: name } = checkEntry.parse(written);
  const isMeasured = weight === 0 && name === null;
  if (isMeasured || areShares(metric)) return null;
  const values = "its values do not lie between 0 and 1 where more is better";
  if (!metric.passes) return `it says neither pass nor fail, and ${values}. Give it a threshold or a bound`;
  return use === "value"
    ? `use is "value", but ${values}. Leave use out: then it counts whether the check passes`
    : null;
}

function fitting(value: JsonObject, schema: z.ZodType, what: string): CheckedScorer {
  const [fault] = faultsOf(schema, value);
  if (fault === undefined) return { ok: true, scorer: value };
  const where = fault.path.length === 0 || fault.atKey ? "" : `${fault.path.join(".")} `;
  return { ok: false, fault: `${what}: ${where}${fault.message}${fault.hint === null ? "" : `. ${fault.hint}`}` };
}

const byType = new Map(catalogue.map((scorer) => [scorer.type, scorer]));

function typeOf(name: string): RegisteredScorer | null {
  return byType.get(name) ?? null;
}

/** The type of the scorer of the checks that rows bring along. */
export const checksType = "checks";

/** That scorer, for a suite that has none while its dataset has such checks. */
export function checksSpec(prices: Prices, primary: boolean): ScorerSpec {
  const options = Object.keys(prices).length === 0 ? {} : { prices: { ...prices } };
  return { name: checksType, type: checksType, primary, weight: 1, when: null, options };
}

const twoChecks: JsonObject[] = [
  { type: "contains", value: "Paris" },
  { type: "equals", value: "Paris" },
];

export const rowCheckScorers: readonly RegisteredScorer[] = [
  defineScorer({
    type: "checks",
    family: "composite",
    about:
      'The checks that the row itself brings (a column of scorers, or promptfoo\'s __expected): the weighted share of them that passes; it passes when all do, or from the row\'s own threshold. A check may have a `weight` (0: it is only measured), `use: value` (its value counts, which lies between 0 and 1, and not whether it passes) and a `metric`; `{"set": [...], "threshold": 0.5}` is several of them as one, and `{"scorer": "polite"}` a scorer of the suite, which `row-mean` counts. Rows without checks have no score; a check of the cost counts only where the target has a price. It is added by itself when the dataset has such checks.',
    keys: {
      prices: pricesKey.describe(
        "Price by target, for checks of the cost. Default: `price` of the targets and their deployments.",
      ),
      metric: z.string().regex(/\S/).optional().describe("Only the checks with this `metric`. Default: all."),
    },
    examples: [
      {
        about: "two checks of one row, of which one passes",
        scorer: {},
        answer: "Paris is in France.",
        with: { case: { checks: { scorers: twoChecks, threshold: null } } },
        score: { value: 0.5, pass: false },
      },
      {
        about: "with a threshold of the row",
        scorer: {},
        answer: "Paris is in France.",
        with: { case: { checks: { scorers: twoChecks, threshold: 0.5 } } },
        score: { value: 0.5, pass: true },
      },
      {
        about: "a check that counts three times, and one that is only measured",
        scorer: {},
        answer: "Paris is in France.",
        with: {
          case: {
            checks: {
              scorers: [
                { type: "contains", value: "Paris", weight: 3 },
                { type: "starts-with", value: "Paris" },
                { type: "contains", value: "Lyon", weight: 0 },
              ],
              threshold: null,
            },
          },
        },
        score: { value: 1, pass: true },
      },
      {
        about: "one of a set is enough",
        scorer: {},
        answer: "Paris is in France.",
        with: { case: { checks: { scorers: [{ set: twoChecks, threshold: 0.5 }], threshold: null } } },
        score: { value: 0.5, pass: true },
      },
    ],
    metric: () => ({ scale: { kind: "bounded", min: 0, max: 1 }, lowerIsBetter: false, passes: true }),
    prepare: async () => {
      await Promise.all([loadLiquid(), loadSchemas(), ...catalogue.map(({ load }) => load())]);
    },
    make: (options, context) => rowChecks(options, context),
  }),
];

type Prices = Readonly<Record<string, Price>>;

/** Checks made before, by their JSON: rows often have the same. */
const mostKept = 10_000;

function rowChecks(
  { prices, metric }: { prices: Prices; metric?: string | undefined },
  context: ScorerContext,
): PureScorer {
  const kept = new Map<string, RowCheck>();
  const checkOf = (written: JsonObject): RowCheck => {
    const text = JSON.stringify(written);
    const made = kept.get(text) ?? makeCheck(isOfCost(written) ? { prices, ...written } : written, context);
    if (kept.size >= mostKept) kept.clear();
    kept.set(text, made);
    return made;
  };
  const partsOf = (entries: readonly RowEntry[], answer: Answer): RowPart[] =>
    entries.flatMap(({ weight, of }): RowPart[] => {
      if ("scorer" in of) return [];
      if ("set" in of) {
        const score = meanOfParts(partsOf(of.set, answer), of.threshold);
        return [{ name: "the set", weight, score }];
      }
      const { name, grade } = checkOf(of.check);
      return [
        {
          name,
          weight,
          score: counted(
            attempt(() => grade(answer)),
            of,
          ),
        },
      ];
    });
  return {
    kind: "pure",
    grade: (answer) => {
      const checks = answer.case.checks ?? null;
      if (checks === null) return { unscored: "the row has no checks" };
      const entries = ownEntries(checks, metric ?? null);
      if (entries.length === 0) return nothingToCheck;
      const graded = gradedEntries(entries, Object.hasOwn(prices, answer.target));
      if (graded.length === 0 && gradedEntries(entries, true).length > 0)
        return { unscored: `${answer.target} has no price to check the cost by` };
      // Where scorers of the suite count in the row, its threshold is about all of them together.
      const isWhole = metric === undefined && entries.length === rowEntries(checks).length;
      return meanOfParts(partsOf(graded, answer), isWhole ? checks.threshold : null);
    },
  };
}

const nothingToCheck: Score = { unscored: "the row has no such checks", lack: "row" };

/** A score by what of it counts: whether it passes, or its value, of a check that must not hold what is missing to 1. */
function counted(score: Score, { check, uses }: { check: JsonObject; uses: "pass" | "value" }): Score {
  if ("unscored" in score) return score;
  if (uses === "value") return check["not"] === true ? { ...score, value: 1 - score.value } : score;
  return score.pass === null ? score : { ...score, value: Number(score.pass) };
}

interface RowCheck {
  name: string;
  grade: (answer: Answer) => Score;
}

function makeCheck(written: JsonObject, context: ScorerContext): RowCheck {
  const spec = scorerSpec(written);
  const made = typeOf(spec.type)?.make(spec, context).scorer;
  if (made?.kind !== "pure") throw new TypeError(`${spec.type} cannot be a check of a row`);
  return { name: spec.name, grade: made.grade };
}
