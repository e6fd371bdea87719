import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { hashText } from "../../lib/hash.ts";
import { showText } from "../../lib/show.ts";
import { canonicalJson, type JsonValue } from "../../lib/json.ts";
import { AppError } from "../../errors.ts";
import { type CodeTrust, isTrusted } from "../../score/contract/code-trust.ts";
import { deedOf, type MadeScorer, makeScorers, reachOf, runsCode } from "../../score/make.ts";
import { checksSpec, checksType } from "../../score/row-checks.ts";
import { targetPrices } from "../../suite/prices.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import type { ScorerSpec } from "../../score/contract/spec.ts";
import { targetAddress } from "../../store/batches.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import type { StoredScorer } from "../../store/scores/stored-scorer.ts";
import type { Suite } from "../../suite/suite.ts";

/** Time that one grade may take, unless the scorer sets another. */
const scorerTimeoutMs = 10_000;

/** The scorers of a suite, ready to grade, as they are stored. */
export interface Scorers extends AsyncDisposable {
  /** Scorers by place; null: not made, because it runs code of a suite file that the user did not name. */
  made: (MadeScorer | null)[];
  stored: StoredScorer[];
  /** Scorers that are not made. */
  absent: AbsentScorer[];
  hash: string;
  /** Place of a scorer to the name of its judge. */
  judgeOf: Map<number, string>;
  close: () => Promise<void>;
}

/** A scorer that is not made: its earlier scores stay, and those of other answers are not known. */
export interface AbsentScorer extends Pick<MadeScorer, "applies" | "gradesFailures"> {
  place: number;
  /** Its place in the scoring before; null: it has no scores there. */
  from: number | null;
}

/**
 * Makes the scorers of a suite. Modules and commands are made only for a suite file that the user names (`trust`); else
 * their scores are taken from the scoring before, if it had the same scorer. Throws SUITE_INVALID.
 */
export async function openScorers(
  suite: Suite,
  given: { trust: CodeTrust | null; checks: boolean; before: Scoring | null },
): Promise<Scorers> {
  const specs = specsOf(suite, given.checks);
  const may = specs.map((spec) => !runsCode(spec) || isTrusted(spec, given.trust));
  const context = { trust: given.trust, timeoutMs: scorerTimeoutMs };
  const ready = await makeScorers(
    specs.filter((_, place) => may[place] === true),
    context,
  );
  const byName = new Map(ready.map((made) => [made.spec.name, made]));
  const made = specs.map(({ name }) => byName.get(name) ?? null);
  const judgeOf = judgesOf(made);
  const absent: AbsentScorer[] = [];
  const stored = specs.map((spec, place): StoredScorer => {
    const scorer = made[place] ?? null;
    if (scorer !== null)
      return {
        spec,
        metric: scorer.metric,
        code: runsCode(spec) ? codeOf(spec, given.trust?.folder ?? null) : null,
        graded: "now",
      };
    const from =
      given.before?.scorers.findIndex((other) => other.graded !== "missing" && isSame(other.spec, spec)) ?? -1;
    const other = given.before?.scorers[from];
    absent.push({ place, from: other === undefined ? null : from, ...reachOf(spec) });
    if (other === undefined) return { spec, metric: unknownMetric(spec), code: null, graded: "missing" };
    return { spec, metric: { ...other.metric, primary: spec.primary }, code: other.code, graded: "carried" };
  });
  const close = async (): Promise<void> =>
    void (await Promise.all(ready.flatMap(({ scorer }) => (scorer.kind === "effect" ? [scorer.close()] : []))));
  return {
    made,
    stored,
    absent,
    judgeOf,
    hash: hashText(canonicalJson(identity(suite, specs, judgeOf)), 32),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * The scorers of a suite as they would be stored. Throws SUITE_INVALID for one that cannot be made, and CODE_REFUSED for
 * one that runs code which the user did not name, before anything is sent.
 */
export async function checkScorers(suite: Suite, trust: CodeTrust | null): Promise<StoredScorer[]> {
  const refused = suite.scorers.find((spec) => runsCode(spec) && !isTrusted(spec, trust));
  if (refused !== undefined) {
    throw new AppError("CODE_REFUSED", `The scorer ${showText(refused.name)} (${refused.type}) ${deedOf(refused)}.`, {
      hint: "Only a suite file that is named in this command may do that: write the scorer into one, and name the file.",
    });
  }
  const scorers = await openScorers(suite, { trust, checks: false, before: null });
  await scorers.close();
  return scorers.stored;
}

/** The scorers of a suite, and the one for the checks that rows bring along. */
export function specsOf(suite: Suite, checks: boolean): ScorerSpec[] {
  const { scorers } = suite;
  // One that counts what the rows name says itself what stands for their own checks.
  if (!checks || scorers.some(({ type }) => type === checksType || type === "row-mean")) return scorers;
  return [...scorers, checksSpec(targetPrices(suite), scorers.length === 0)];
}

function judgesOf(made: readonly (MadeScorer | null)[]): Map<number, string> {
  return new Map(
    made.flatMap((each, place) => (each?.scorer.kind === "judge" ? [[place, each.scorer.target] as const] : [])),
  );
}

/** The parts that make a scoring a different one: the scorers, the rule, and the judges that are asked. */
function identity(suite: Suite, specs: readonly ScorerSpec[], judgeOf: ReadonlyMap<number, string>): JsonValue {
  const asked = new Set(judgeOf.values());
  const judges = suite.judges
    .filter(({ name }) => asked.has(name))
    .map((judge) => {
      const { name, endpoint, exampleId, body } = judge;
      return { name, baseUrl: targetAddress(suite, judge), endpoint, exampleId, body };
    });
  // A value as JSON has it: no functions, nothing undefined.
  const value: JsonValue = JSON.parse(JSON.stringify({ scorers: specs, rule: suite.pass, judges }));
  return value;
}

const isSame = (one: ScorerSpec, other: ScorerSpec): boolean =>
  hashText(JSON.stringify({ ...one, primary: null, weight: null })) ===
  hashText(JSON.stringify({ ...other, primary: null, weight: null }));

/** Hash of the files that a scorer runs, as far as it names them; null when it names none that can be read. */
function codeOf({ options: { file, command } }: ScorerSpec, folder: string | null): string | null {
  const words = Array.isArray(command) ? command : typeof command === "string" ? command.split(/\s+/) : [];
  const texts = [file, ...words].flatMap((name) =>
    typeof name === "string" ? textOf(resolve(folder ?? "", name)) : [],
  );
  return texts.length === 0 ? null : hashText(texts.join("\0"), 32);
}

/** Larger files are not taken for code. */
const mostCode = 1_000_000;

function textOf(path: string): string[] {
  try {
    const { size } = statSync(path);
    return size > mostCode ? [] : [readFileSync(path, "utf8")];
  } catch {
    return [];
  }
}

/** The metric of a scorer without scores, of which nothing is known. */
function unknownMetric({ name, type, primary, weight }: ScorerSpec): Metric {
  const scale = { kind: "unbounded", unit: null } as const;
  return { name, type, primary, scale, lowerIsBetter: false, passes: false, weight, against: null };
}
