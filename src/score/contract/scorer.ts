import type { JobOutcome } from "../../api/outcomes.ts";
import type { CodeTrust } from "./code-trust.ts";
import type { Scale } from "./scale.ts";
import type { ScorerSpec } from "./spec.ts";
import type { z } from "zod";
import type { AnswerKind } from "../../api/answer-kind.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import type { Usage } from "../../api/usage.ts";
import type { Case, CaseChecks } from "../../dataset/case.ts";
import type { JsonObject } from "../../lib/json.ts";

/** An answer to be graded: a case, and the answer of one target in one repeat. */
export interface Answer {
  case: Pick<Case, "key" | "input" | "expected" | "cluster" | "turn" | "tags" | "columns"> & {
    checks?: CaseChecks | null;
  };
  target: string;
  endpoint: EndpointName;
  repeat: number;
  /** Outcome of the job, such as `ok`, `run-failed` or `skipped`. */
  outcome: JobOutcome | "unfinished";
  /** Kind of answer in the record of an `ok` outcome. */
  answer: AnswerKind | null;
  /** Null where the job brought no run. */
  record: AnswerRecord | null;
  error: string | null;
  /** Milliseconds from the first byte sent to the last received, of the attempt that decided the job; null when not known. */
  latencyMs: number | null;
  /** Milliseconds from the first byte sent to the first piece of the reply; null when not known. */
  firstMs: number | null;
  /** Tokens that it took; null: not told. */
  usage: Usage | null;
  attempts: number;
}

/** The run record of an answer. */
export interface AnswerRecord {
  id: string | null;
  url: string | null;
  createdAt: string | null;
  /** Empty where the service kept nothing of it; a number that would lose digits is as it is written. */
  output: JsonObject;
}

/** The run record of a judge's reply, with the endpoint that it came from. */
export interface JudgeReply extends AnswerRecord {
  endpoint: EndpointName;
}

/** A grade, or the reason why there is none. Never an exception. */
export type Score = Grade | Unscored;

export interface Grade {
  /** 1 or 0 for a scorer of pass or fail; else in the scorer's own unit. */
  value: number;
  /** Null for a scorer that measures and has no threshold. */
  pass: boolean | null;
  /** One sentence, in words that name what was looked for and what was found. */
  reason: string;
}

export interface Unscored {
  unscored: string;
  /** Something is missing, so that this is no failure of the scorer. */
  lack?: Lack;
}

/**
 * `row`: the row lacks what the scorer compares with, and leaves this metric. `scorer`: it runs or reads files beside the
 * suite, and the suite was not named.
 */
export type Lack = "row" | "scorer";

/** True where a scorer has nothing to say of a case. */
export function isBesideThePoint(score: Score): boolean {
  return "lack" in score && score.lack === "row";
}

/** The facts about a scorer that a comparison needs; stored with the scores. */
export interface Metric {
  name: string;
  type: string;
  primary: boolean;
  scale: Scale;
  lowerIsBetter: boolean;
  /** It says pass or fail of every answer. */
  passes: boolean;
  /** Its share in a weighted mean. */
  weight: number;
  /** It grades candidates beside the baseline, which itself has no score; null for all others. */
  against: "baseline" | null;
}

/** Share of what is no answer to a row that a scorer passes which compares with the expected answer. */
export interface Laxity {
  /** `rows`: answers that belong to rows in which something else is expected; `stock`: answers that say nothing, where all rows expect the same. */
  of: "rows" | "stock";
  /** Answers that were tried, and those that passed. */
  asked: number;
  passing: number;
  /** One that passed, and what its row expects; null: none did. */
  example: { answer: string; expected: string } | null;
  /** It looks for a text within the answer, where asking for the whole one would tell more. */
  withinText: boolean;
}

/** Grades one answer, at once and always alike: it can be asked again at any time. */
export interface PureScorer {
  kind: "pure";
  grade: (answer: Answer) => Score;
}

/**
 * Grades with the help of something outside: a worker, a process, the network. Its result is stored, not asked for
 * again.
 */
export interface EffectScorer {
  kind: "effect";
  /** Answers that may be graded at the same time. */
  concurrency: number;
  grade: (answer: Answer) => Promise<Score>;
  /** Ends what was started for it. */
  close: () => Promise<void>;
}

/** Grades by asking another bot or function: the questions become jobs of kind judge. */
export interface JudgeScorer {
  kind: "judge";
  /** Name of the target that is asked. */
  target: string;
  /** The answer whose counterpart is shown beside it; null for a judge of single answers. */
  against: "baseline" | null;
  /** The request bodies, before the target's constants; or the score where nothing needs to, or can, be asked. */
  ask: (answer: Answer, other: Answer | null) => JsonObject[] | Score;
  /**
   * The score by the replies, in the order of the questions; null for a question that was not answered. `repair` asks
   * once more, with the whole list of questions: one that is as before is not asked again. A judge that was asked twice
   * and answered nonsense twice is unscored. `asked` gives the questions as they were sent.
   */
  read: (
    replies: readonly (JudgeReply | null)[],
    repaired: boolean,
    asked: () => JsonObject[],
  ) => Score | { repair: JsonObject[] };
}

/** The answer whose scores are combined: the checks of its row, and the target that gave it. */
export interface CombinedAnswer {
  checks: CaseChecks | null;
  target: string;
}

/** Grades by the scores of other scorers for the same answer. */
interface CompositeScorer {
  kind: "composite";
  /** Names of those scorers; none of them depends on this one. */
  of: string[];
  /** Their scores in the order of `of`; null for one that is not about this answer. */
  combine: (scores: readonly (Score | null)[], graded: CombinedAnswer) => Score;
}

export type Scorer = PureScorer | EffectScorer | JudgeScorer | CompositeScorer;

/** The things that a scorer may look at when it is made. */
export interface ScorerContext {
  /** The suite file whose modules and commands may run; null: none may. */
  trust: CodeTrust | null;
  /** Kills a scorer that takes longer, milliseconds. */
  timeoutMs: number;
  /** The scorers that grade the same answers, which one that is made of others may look at. */
  beside?: readonly ScorerSpec[];
}

/** A documented example of a scorer that is itself a test. */
export interface ScorerExample {
  about: string;
  /** The entry in the suite file, without name and type. */
  scorer: JsonObject;
  expected?: string;
  /** The text answered, or whole output. */
  answer: string | JsonObject;
  /** Other parts of the answer, such as its latency, or of its case. */
  with?: Partial<Omit<Answer, "case">> & { case?: Partial<Answer["case"]> };
  /** Files beside the suite, name to content. */
  files?: Record<string, string>;
  /** Replies of the judge, in the order of its questions. */
  replies?: (string | JsonObject)[];
  /** The baseline's answer, for a judge of two answers. */
  baseline?: string;
  /** Scores of the scorers that a composite names. */
  scores?: Record<string, Score>;
  /** `passes` is a value of 1, `fails` one of 0. */
  score: "passes" | "fails" | { value: number; pass: boolean | null } | { unscored: true };
}

/** Scorers that belong together on the reference page. */
export type ScorerFamily = "plain" | "text" | "service" | "function" | "own" | "judge" | "composite";

/** One kind of scorer: what is registered, validated, documented and made. */
export type ScorerType<Keys extends z.ZodRawShape> = DescribedScorer<Keys> &
  (
    | { make: (options: z.output<z.ZodObject<Keys>>, context: ScorerContext) => Scorer }
    /** One that grades an answer at once. */
    | { grade: (options: z.output<z.ZodObject<Keys>>, context: ScorerContext) => (answer: Answer) => Score }
  );

/** Where in an answer a scorer looks for texts, and for how many of several; `words`: the answer is that text by its words. */
export interface AskedText {
  place: "whole" | "words" | "within" | "start" | "end";
  of: "one" | "any" | "all";
}

export interface DescribedScorer<Keys extends z.ZodRawShape> {
  type: string;
  family: ScorerFamily;
  /** A sentence or two for the reference page. */
  about: string;
  /** The keys beside those that every scorer has. */
  keys: Keys;
  /** Checks that single keys cannot make: keys that need or exclude each other. */
  faults?: (options: z.output<z.ZodObject<Keys>>) => OptionFault[];
  examples: ScorerExample[];
  /** It says whether an answer is, or holds, the wanted text. */
  asks?: AskedText;
  /** It measures how alike an answer and the whole wanted text are, so that more words make a right answer worse. */
  isLikeness?: true;
  /** It also grades answers without a record, such as failed runs. Default: false. */
  gradesFailures?: boolean;
  /** It measures the run, such as its time or its price, and not what was said. Default: no. */
  measuresRun?: boolean;
  /** It is a judge that reads answers and says what it thinks of them, and can be tried for biases. Default: that of its family. */
  hasOpinion?: boolean;
  /** It compares with the case's expected answer. Default: true for a `value` that is one unless it is given. */
  needsExpected?: (options: z.output<z.ZodObject<Keys>>) => boolean;
  /** The columns of a row that it reads beside those of its templates; `all`: it is given the whole row. Default: none. */
  columns?: (options: z.output<z.ZodObject<Keys>>) => ColumnsRead;
  /** Names that its `template` knows beside those of a case, and which are no columns there. Default: none. */
  templateNames?: (options: z.output<z.ZodObject<Keys>>) => readonly string[];
  /** The columns without which it says nothing of any case. Default: none. */
  needsColumns?: (options: z.output<z.ZodObject<Keys>>) => readonly string[];
  /** It runs code from beside the suite: it is made only for a suite file that the user names. Default: false. */
  runsCode?: boolean;
  /** With `runsCode`: it reads a file from beside the suite, and runs nothing. Default: false. */
  readsOnly?: boolean;
  /** It grades at once and may be the check of a single row. Default: true for all but own, judges and composites. */
  forRows?: boolean;
  /** Default: pass or fail. */
  metric?: (options: z.output<z.ZodObject<Keys>>) => Pick<Metric, "scale" | "lowerIsBetter" | "passes">;
  /** Loads its code, where that is not loaded with its description; called before `make`. */
  load?: () => Promise<void>;
  /** Loads what making it with these options needs; called before `make`. Default: what a template in its `value` needs. */
  prepare?: (options: z.output<z.ZodObject<Keys>>) => Promise<void>;
}

/** Columns of a row by their names, or every one. */
export type ColumnsRead = "all" | readonly string[];

/** A fault in an entry of `scorers`, at one of its keys. */
export interface OptionFault {
  key: string;
  message: string;
}
