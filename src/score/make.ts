import { AppError } from "../errors.ts";
import { isTrusted } from "./contract/code-trust.ts";
import type { TextSelection } from "./contract/explain.ts";
import { guarded } from "./contract/guard.ts";
import { scorerOfType } from "./registry.ts";
import type { Answer, ColumnsRead, Metric, Scorer, ScorerContext } from "./contract/scorer.ts";
import type { CaseChecks } from "../dataset/case.ts";
import { ownEntries } from "./contract/row-entries.ts";
import { isAbout, type ScorerSpec } from "./contract/spec.ts";

/** A scorer ready to grade: its calls never throw, and its values are finite numbers. */
export interface MadeScorer {
  spec: ScorerSpec;
  metric: Metric;
  scorer: Scorer;
  /** False for an answer that it says nothing about: a case without its tags, or a job without a record. No row is stored. */
  applies: (answer: Answer) => boolean;
  /** It also grades answers without a record, such as failed runs. */
  gradesFailures: boolean;
  /** True for a case that lacks what it compares with: it says nothing of any answer, also of one that failed. */
  lacks: (graded: Answer["case"]) => boolean;
  /** The text it looks at and the one it compares it with; null for a scorer that looks at more than one text. */
  look: TextSelection | null;
}

/**
 * Makes the scorers of a suite. Raises SUITE_INVALID where one cannot be made, such as for a template that does not
 * parse, or one that runs code and is not of the trusted suite file.
 */
export async function makeScorers(specs: readonly ScorerSpec[], context: ScorerContext): Promise<MadeScorer[]> {
  const made: MadeScorer[] = [];
  for (const spec of specs) made.push(await makeScorer(spec, { ...context, beside: specs }));
  return made;
}

/** True for a scorer that runs code (a module, a command): it is made only for a suite file that the user named. */
export function runsCode(spec: ScorerSpec): boolean {
  return scorerOfType(spec.type)?.runsCode ?? false;
}

/** `runs code`, or `reads a file`: what only a scorer of a suite file that the user named may do. */
export function deedOf(spec: ScorerSpec): string {
  return scorerOfType(spec.type)?.readsOnly === true ? "reads a file" : "runs code";
}

/** The answers that a scorer is about, as far as is known without making it. */
export function reachOf(spec: ScorerSpec): Pick<MadeScorer, "applies" | "gradesFailures"> {
  const gradesFailures = scorerOfType(spec.type)?.gradesFailures ?? false;
  return {
    applies: (answer) =>
      (answer.record !== null || gradesFailures) &&
      isAbout(spec, answer.case) &&
      (spec.type !== "checks" || hasOwn(spec, answer.case.checks ?? null)),
    gradesFailures,
  };
}

/** True for a row with checks that a scorer of them grades. */
function hasOwn({ options }: ScorerSpec, checks: CaseChecks | null): boolean {
  const { metric } = options;
  return checks !== null && ownEntries(checks, typeof metric === "string" ? metric : null).length > 0;
}

/** The facts about a scorer that are known without making it; none for a type of another version. */
export function knownMetric({ name, type, primary, weight, range, options }: ScorerSpec) {
  const known = scorerOfType(type)?.metricOf({ ...options, range });
  if (known === undefined) return [];
  const against = type === "pairwise" ? ("baseline" as const) : null;
  return [{ metric: { name, type, primary, weight, ...known, against } }];
}

/** True for a scorer that compares with the expected answer. */
export function needsExpected({ type, options }: ScorerSpec): boolean {
  return scorerOfType(type)?.needsExpected(options) ?? false;
}

/** Families of scorers that are given the expected answer, whether they use it or not. */
const mayLook = new Set<string | undefined>(["judge", "own", "composite"]);

/** True for a scorer whose scores may be others when another answer is expected. */
export function looksAtExpected(spec: ScorerSpec): boolean {
  if (needsExpected(spec) || mayLook.has(scorerOfType(spec.type)?.family)) return true;
  return /\bexpected\b/.test(JSON.stringify(spec.options));
}

/** The columns of a row that a scorer reads by their names. */
export function columnsRead({ type, options }: ScorerSpec): ColumnsRead {
  return scorerOfType(type)?.columnsRead(options) ?? [];
}

/** The columns that the templates of a scorer name, and the key whose template it is. */
export function columnsNamed({ type, options }: ScorerSpec): readonly { key: string; column: string }[] {
  return scorerOfType(type)?.columnsNamed(options) ?? [];
}

/** The columns of a row without which a scorer says nothing of it. */
export function needsColumns({ type, options }: ScorerSpec): readonly string[] {
  return scorerOfType(type)?.needsColumns(options) ?? [];
}

function lacksOf(spec: ScorerSpec): MadeScorer["lacks"] {
  const isAsked = needsExpected(spec);
  return (graded) => isAsked && graded.expected === null && isAbout(spec, graded);
}

async function makeScorer(spec: ScorerSpec, context: ScorerContext): Promise<MadeScorer> {
  const type = scorerOfType(spec.type);
  if (type === null) {
    throw new AppError(
      "SUITE_INVALID",
      `The scorer ${spec.name} has the type ${spec.type}, which this version does not know.`,
    );
  }
  try {
    if (type.runsCode && !isTrusted(spec, context.trust)) {
      throw new Error(`it ${deedOf(spec)}, which only a suite file that is named in this command may do`);
    }
    await type.load();
    await type.prepare(spec);
    const { metric, scorer, look } = type.make(spec, context);
    return {
      spec,
      metric: metricOf(spec, metric, scorer),
      scorer: guarded(scorer),
      ...reachOf(spec),
      lacks: lacksOf(spec),
      look,
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("SUITE_INVALID", `The scorer ${spec.name} (${spec.type}) cannot be made: ${reason}`, { cause });
  }
}

function metricOf(
  spec: ScorerSpec,
  metric: Pick<Metric, "scale" | "lowerIsBetter" | "passes">,
  scorer: Scorer,
): Metric {
  const { name, type, primary, weight } = spec;
  return {
    name,
    type,
    primary,
    ...metric,
    weight,
    against: scorer.kind === "judge" ? scorer.against : null,
  };
}
