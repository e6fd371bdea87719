import { defaultEndpoint } from "../../api/endpoint-name.ts";
import { rangeOf } from "../../compare/comparison-plan.ts";
import type { Case } from "../../dataset/case.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { counted, number } from "../../report/say/quantity.ts";
import type { Laxity } from "../../score/contract/scorer.ts";
import { AnswerSample, isTried, laxityOf, saying } from "../../score/laxity.ts";
import { knownMetric, type MadeScorer, makeScorers, runsCode } from "../../score/make.ts";
import { fewestWithoutEnds } from "../../stats/difference.ts";
import { gateKinds, kindOfGate } from "../../suite/gate-settings.ts";
import type { Suite } from "../../suite/suite.ts";

type TriedSuite = Pick<Suite, "scorers" | "targets" | "decision" | "compare">;

/** Trial of the scorers of a suite by its sheet alone, before anything is sent. */
export interface SheetTrial {
  onCase: (found: Case) => void;
  /** Scorers that pass the expected answers of other rows. */
  warnings: () => string[];
  /** Throws SUITE_INVALID where a stored answer leaves the range of a scorer. */
  checkRanges: () => void;
}

/**
 * Tries the scorers that grade at once while the rows of a sheet pass by: with expected answers in the place of answers, and those
 * that have a range with the answers that the sheet holds. Memory does not grow with the rows.
 */
export async function openSheetTrial({ scorers, targets, decision, compare }: TriedSuite): Promise<SheetTrial> {
  const specs = scorers.filter((spec) => !runsCode(spec));
  const made = (await makeScorers(specs, { trust: null, timeoutMs: 0 })).filter(({ scorer }) => scorer.kind === "pure");
  const lax = made.filter(isTried);
  const ranged = made.flatMap((each) => (each.spec.range === undefined ? [] : [watchRange(each)]));
  const endpoints = new Map(targets.map(({ name, endpoint }) => [name, endpoint]));
  const endpoint = targets[0]?.endpoint ?? defaultEndpoint;
  const sample = new AnswerSample();
  let cases = 0;
  const onCase = (found: Case): void => {
    cases += 1;
    const { expected, stored = [] } = found;
    if (lax.length > 0 && expected !== null) {
      sample.add(() => saying({ case: found, endpoint }, expected), expected.length);
    }
    for (const { target, text } of ranged.length === 0 ? [] : stored) {
      if (text.trim() === "") continue;
      const answer = saying({ case: found, endpoint: endpoints.get(target) ?? endpoint, target }, text);
      for (const range of ranged) range.look(answer, found);
    }
  };
  return {
    onCase,
    warnings: () => [
      ...lax.flatMap((each) => {
        const found = laxityOf(each, sample.kept);
        return found === null ? [] : (laxWords(each, found) ?? []);
      }),
      ...((compare?.candidates.length ?? 0) > 0 ? endlessWords({ scorers, decision }, cases) : []),
    ],
    checkRanges() {
      const faults = ranged.flatMap((each) => each.fault() ?? []);
      const [first] = faults;
      if (first === undefined) return;
      throw new AppError("SUITE_INVALID", faults.map(({ message }) => message).join("\n"), { hint: first.hint });
    },
  };
}

/** Gates of scores without ends, which do not pass on so few cases; said once for each metric. */
function endlessWords({ scorers, decision }: Pick<Suite, "scorers" | "decision">, cases: number): string[] {
  if (cases === 0 || cases >= fewestWithoutEnds) return [];
  const known = scorers.flatMap(knownMetric);
  const open = decision.gates.filter((gate) => {
    const metric = known.find((each) => each.metric.name === gate.metric)?.metric;
    if (metric === undefined) return false;
    const usual = metric.passes && metric.against === null ? "pass" : "value";
    const of = gateKinds[kindOfGate(gate)].of ?? gate.of ?? usual;
    return of !== "median" && rangeOf({ metric, of }) === null;
  });
  return Array.from(new Set(open.map(({ metric }) => metric))).map(
    (metric) =>
      `${metric} has no ends: its gate does not pass on ${counted(cases, "row")}. Give the scorer a \`range: [min, max]\`, compare by \`of: median\`, or take ${fewestWithoutEnds} cases or more.`,
  );
}

/** Share of the expected answers of other rows above which a scorer that passes them is named. */
const mostConfused = 0.1;

function laxWords({ spec }: MadeScorer, { of, asked, passing, example, withinText }: Laxity): string | null {
  const isLax = of === "rows" ? passing > mostConfused * asked : passing * 2 > asked;
  if (!isLax || example === null) return null;
  const [said, wanted] = [showText(example.answer), showText(example.expected)];
  const advice = withinText ? "use `equals`" : "use one that asks for more, or raise its threshold";
  if (of === "stock") return `${spec.name} passes ${said} where ${wanted} is expected: ${advice}`;
  const why = withinText ? `${wanted} is contained in ${said}` : `${said} passes where ${wanted} is expected`;
  return `${spec.name}: ${why}: ${advice} (${number(passing)} of ${number(asked)} expected answers pass in a row that expects another one)`;
}

/** Counts the stored answers that leave the range of a scorer. */
function watchRange({ spec, scorer, applies }: MadeScorer) {
  const [min, max] = spec.range ?? [-Infinity, Infinity];
  let [seen, beyond, least, most] = [0, 0, min, max];
  let first: { row: string; value: number; target: string } | null = null;
  return {
    look(answer: Parameters<MadeScorer["applies"]>[0], { source }: Case): void {
      if (scorer.kind !== "pure" || !applies(answer)) return;
      const score = scorer.grade(answer);
      if ("unscored" in score) return;
      seen += 1;
      if (score.value >= min && score.value <= max) return;
      beyond += 1;
      [least, most] = [Math.min(least, score.value), Math.max(most, score.value)];
      first ??= { row: `${source.file}:${source.line} (row ${source.row})`, value: score.value, target: answer.target };
    },
    fault(): { message: string; hint: string } | null {
      if (first === null) return null;
      const message = `${first.row}: ${showText(spec.name)} of the stored answer of ${showText(first.target)} is ${first.value}, outside of its range: [${min}, ${max}]. ${number(beyond)} of ${counted(seen, "stored answer")} ${beyond === 1 ? "is" : "are"}.`;
      return { message, hint: `Write range: [${least}, ${most}] or wider, in the unit of the score.` };
    },
  };
}
