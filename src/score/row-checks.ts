import type { Price } from "../api/price.ts";
import type { CaseChecks } from "../dataset/case.ts";
import { faultsOf } from "../lib/fault.ts";
import { isJsonObject } from "../lib/json.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { didYouMean } from "../lib/suggest.ts";
import { catalogue } from "./catalogue.ts";
import { pricesKey } from "./checks/usage.ts";
import { defineScorer } from "./contract/define.ts";
import type { RegisteredScorer } from "./contract/define.ts";
import { attempt } from "./contract/guard.ts";
import { loadSchemas } from "./json/schema-check.ts";
import { loadLiquid } from "./contract/expected.ts";
import type { Answer, PureScorer, Score, ScorerContext } from "./contract/scorer.ts";
import { scorerSpec } from "./contract/spec.ts";
import type { ScorerSpec } from "./contract/spec.ts";

/**
 * Checks a scorer in a cell like an entry of the suite's `scorers`; else one sentence says what is wrong with it. A row
 * may only have scorers that grade at once: no judge, module, command or network.
 */
export function checkScorer(value: JsonValue): { ok: true; scorer: JsonObject } | { ok: false; fault: string } {
  if (!isJsonObject(value))
    return { ok: false, fault: 'a check must be a JSON object such as {"type": "contains", "value": "x"}' };
  const { type: name } = value;
  const type = typeof name === "string" ? typeOf(name) : null;
  if (type === null || !type.forRows) {
    const known = catalogue.filter(({ forRows }) => forRows).map((each) => each.type);
    if (type !== null)
      return {
        ok: false,
        fault: `a check of type ${type.type} cannot be made for a single row: put it into the suite's scorers`,
      };
    const hint = typeof name === "string" ? didYouMean(name, known) : null;
    return {
      ok: false,
      fault: `the type of a check must be one of ${known.join(", ")}, got ${JSON.stringify(name ?? null)}${hint === null ? "" : `. ${hint}`}`,
    };
  }
  const [fault] = faultsOf(type.schema, value);
  if (fault === undefined) return { ok: true, scorer: value };
  const where = fault.path.length === 0 || fault.atKey ? "" : `${fault.path.join(".")} `;
  return {
    ok: false,
    fault: `the check ${type.type}: ${where}${fault.message}${fault.hint === null ? "" : `. ${fault.hint}`}`,
  };
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
  return { name: checksType, type: checksType, primary, weight: 1, lowerIsBetter: null, when: null, options };
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
      "The checks that the row itself brings (a column of scorers, or promptfoo's __expected): the weighted share of them that passes; it passes when all do, or from the row's own threshold. Rows without checks have no score; a check of the cost counts only where the target has a price. It is added by itself when the dataset has such checks.",
    keys: {
      prices: pricesKey.describe(
        "Price by target, for checks of the cost. Default: `price` of the targets and their deployments.",
      ),
    },
    examples: [
      {
        about: "two checks of one row, of which one passes",
        scorer: {},
        answer: "Paris is in France.",
        with: {
          case: rowWith(twoChecks, null),
        },
        score: { value: 0.5, pass: false },
      },
      {
        about: "with a threshold of the row",
        scorer: {},
        answer: "Paris is in France.",
        with: {
          case: rowWith(twoChecks, 0.5),
        },
        score: { value: 0.5, pass: true },
      },
    ],
    metric: () => ({ scale: { kind: "bounded", min: 0, max: 1 }, lowerIsBetter: false, passes: true }),
    prepare: async () => {
      await Promise.all([loadLiquid(), loadSchemas(), ...catalogue.map(({ load }) => load())]);
    },
    make: ({ prices }, context) => rowChecks(prices, context),
  }),
];

function rowWith(scorers: JsonObject[], threshold: number | null): Answer["case"] {
  const row = { key: "1", input: {}, expected: null, cluster: "1", turn: 1, tags: {}, columns: {} };
  return { ...row, checks: { scorers, threshold } };
}

type Prices = Readonly<Record<string, Price>>;

/** Checks made before, by their JSON: rows often have the same. */
const mostKept = 10_000;

function rowChecks(prices: Prices, context: ScorerContext): PureScorer {
  const kept = new Map<string, RowCheck>();
  const checkOf = (written: JsonObject): RowCheck => {
    const text = JSON.stringify(written);
    const made = kept.get(text) ?? makeCheck(isOfCost(written) ? { prices, ...written } : written, context);
    if (kept.size >= mostKept) kept.clear();
    kept.set(text, made);
    return made;
  };
  return {
    kind: "pure",
    grade: (answer) => {
      const checks = answer.case.checks ?? null;
      if (checks === null) return { unscored: "the row has no checks" };
      const hasPrice = prices[answer.target] !== undefined;
      const scorers = checks.scorers.filter(
        (written) => hasPrice || !isOfCost(written) || written["prices"] !== undefined,
      );
      if (scorers.length === 0 && checks.scorers.length > 0)
        return { unscored: `${answer.target} has no price to check the cost by` };
      return combine(
        checks,
        scorers.map((written) => {
          const { name, weight, grade } = checkOf(written);
          return { name, weight, score: attempt(() => grade(answer)) };
        }),
      );
    },
  };
}

/** True for a check of the cost, which needs the price of a target. */
export function isOfCost(written: JsonObject): boolean {
  return written["type"] === "cost";
}

interface RowCheck {
  name: string;
  weight: number;
  grade: (answer: Answer) => Score;
}

function makeCheck(written: JsonObject, context: ScorerContext): RowCheck {
  const spec = scorerSpec(written);
  const made = typeOf(spec.type)?.make(spec, context).scorer;
  if (made?.kind !== "pure") throw new TypeError(`${spec.type} cannot be a check of a row`);
  return { name: spec.name, weight: spec.weight, grade: made.grade };
}

/** A check without pass or fail counts by its value, held within 0 and 1. */
function combine({ threshold }: CaseChecks, checks: readonly { name: string; weight: number; score: Score }[]): Score {
  const total = checks.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return { unscored: "the row has no checks that count" };
  let sum = 0;
  const failed: string[] = [];
  for (const { name, weight, score } of checks) {
    if ("unscored" in score) return { unscored: `${name}: ${score.unscored}` };
    sum += weight * (score.pass === null ? Math.min(1, Math.max(0, score.value)) : Number(score.pass));
    if (score.pass === false) failed.push(score.reason);
  }
  const value = sum / total;
  const pass = threshold === null ? failed.length === 0 : value >= threshold - 1e-9;
  const reason = failed.length === 0 ? `all ${checks.length} checks of the row pass` : failed.slice(0, 3).join("; ");
  return { value, pass, reason };
}
