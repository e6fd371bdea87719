import { z } from "zod";
import type { JsonObject } from "../../lib/json.ts";
import { normalise } from "../../text/normalise.ts";
import { defineScorer } from "../contract/define.ts";
import { judgedByFaults, judgeKeys, judgeMetric } from "./judge.ts";
import { judgeBody, judgePrompt, questionOf, repairBody, replyText, textsOfOthers } from "./judge-prompt.ts";
import { readVerdict, type VerdictForm } from "./judge-reply.ts";
import { textReader } from "../contract/text-selection.ts";
import type { JudgeReply, JudgeScorer, Score } from "../contract/scorer.ts";
import { prepareRubric, rubricFaults, rubricReader, rubricVariable } from "./judge-rubric.ts";

const keys = {
  ...judgeKeys,
  template: judgeKeys.template.describe(
    "The whole prompt, a Liquid template that knows question, expected, answer_a, answer_b, rubric, format and the columns of the row. Default: a prompt that keeps what bots wrote between marks.",
  ),
  threshold: z
    .number()
    .optional()
    .describe("It passes from this value on: 0.5 is no worse, 1 is better. Default: 0.5."),
};
type Options = z.output<z.ZodObject<typeof keys>>;

export const pairwiseScorers = [
  defineScorer({
    type: "pairwise",
    family: "judge",
    about:
      "Another bot says which of two answers is better, the baseline's or the candidate's, without being told whose they are. It is asked twice, with the answers in either order; a win counts only when both replies agree. 1: the candidate is better, 0.5: a tie, 0: the baseline is. Answers that are alike are a tie without being asked about.",
    keys,
    templateNames: () => ["answer_a", "answer_b", "rubric", "format"],
    faults: (options) => [...judgedByFaults(options), ...rubricFaults(options, "pairwise")],
    examples: [
      {
        about: "the candidate is better in both orders",
        scorer: { target: "grader" },
        answer: "The library opens at nine.",
        baseline: "I do not know.",
        replies: ['{"verdict": "A"}', '{"verdict": "B"}'],
        score: { value: 1, pass: true },
      },
      {
        about: "a judge that prefers what comes first",
        scorer: { target: "grader" },
        answer: "The library opens at nine.",
        baseline: "It opens at nine.",
        replies: ["A", "A"],
        score: { value: 0.5, pass: true },
      },
      {
        about: "answers that are alike are not asked about",
        scorer: { target: "grader", threshold: 1 },
        answer: "At nine.",
        baseline: " At nine.",
        score: { value: 0.5, pass: false },
      },
    ],
    metric: () => judgeMetric({ kind: "number", min: 0, max: 1 }),
    prepare: prepareRubric,
    make: (options) => pairwise(options),
  }),
];

/** C, as some judges are used to, is a tie. */
const form: VerdictForm = { kind: "set", values: { A: 1, B: 0, tie: 0.5, C: 0.5 } };

const format =
  'Reply with JSON alone: {"verdict": "<A | B | C>", "reason": "<one sentence>"}, where A or B is the better answer and C means that they are equally good.';

const text = {
  task: "You compare two answers to a question, and say which one is better. Their order says nothing.",
  parts: [
    ["question", "question"],
    ["expected", "expected"],
    ["answer_a", "answer_a"],
    ["answer_b", "answer_b"],
  ] satisfies [string, string][],
};

function pairwise(options: Options): JudgeScorer {
  const prompt = judgePrompt(options.template, text, format);
  const rubricOf = rubricReader(options);
  const read = textReader(options);
  return {
    kind: "judge",
    target: options.target ?? "",
    against: "baseline",
    ask: (answer, other) => {
      if (other?.record === null || other === null) return { unscored: "the baseline has no answer to compare with" };
      const [candidate, baseline] = [read(answer) ?? "", read(other) ?? ""];
      if (normalise(candidate) === normalise(baseline))
        return { value: 0.5, pass: passes(0.5, options), reason: "tie: both answers are alike" };
      const rubric = rubricOf(answer);
      if (typeof rubric !== "string") return rubric;
      const bodies = [];
      for (const [a, b] of [
        [candidate, baseline],
        [baseline, candidate],
      ] as const) {
        const shown = {
          question: questionOf(answer.case),
          expected: answer.case.expected ?? "",
          answer_a: a,
          answer_b: b,
        };
        const filled = prompt(answer, { ...shown, rubric });
        if (typeof filled !== "string") return filled;
        bodies.push(judgeBody(filled, { ...shown, ...rubricVariable(options.rubric, rubric) }));
      }
      return bodies;
    },
    read: (replies, repaired, asked) => {
      const verdicts = pairVerdicts(replies, asked());
      const [first, second] = verdicts;
      if (first !== null && second !== null) return grade(first, second, options);
      if (replies.some((reply) => reply === null)) return { unscored: "the judge did not answer in both orders" };
      if (repaired) return { unscored: "the judge's replies have no verdict that can be read in both orders" };
      return { repair: asked().map((body, i) => againIfUnread(body, replies[i] ?? null, verdicts[i] ?? null)) };
    },
  };
}

/** The side that a judge prefers. */
export type Preference = "candidate" | "baseline" | "tie";

/**
 * The verdicts with the candidate first and with the baseline first, as systems; null for a reply that cannot be read. `asked`:
 * the questions as they were sent.
 */
export function pairVerdicts(
  replies: readonly (JudgeReply | null)[],
  asked: readonly JsonObject[],
): [Preference | null, Preference | null] {
  const [first, second] = [0, 1].map((i) => {
    const reply = replies[i] ?? null;
    return reply === null ? null : (readVerdict(replyText(reply), form, textsOfOthers(asked[i]))?.value ?? null);
  });
  return [preference(first ?? null), preference(second === null || second === undefined ? null : 1 - second)];
}

function preference(value: number | null): Preference | null {
  if (value === null) return null;
  return value === 0.5 ? "tie" : value === 1 ? "candidate" : "baseline";
}

/** A question whose reply was read is repeated as it was, so that it is not asked again. */
function againIfUnread(
  body: Parameters<typeof repairBody>[0],
  reply: JudgeReply | null,
  said: Preference | null,
): Parameters<typeof repairBody>[0] {
  return said !== null || reply === null ? body : repairBody(body, replyText(reply), format);
}

function grade(first: Preference, second: Preference, options: Options): Score {
  const value = first !== second || first === "tie" ? 0.5 : first === "candidate" ? 1 : 0;
  const orders = `${first} when the candidate came first, ${second} when the baseline did`;
  const word = value === 1 ? "candidate" : value === 0 ? "baseline" : "tie";
  const reason = first === second ? `${word}, in both orders` : `tie: the judge said ${orders}`;
  return { value, pass: passes(value, options), reason };
}

function passes(value: number, { threshold = 0.5 }: Options): boolean {
  return value >= threshold;
}
