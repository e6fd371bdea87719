import { z } from "zod";
import { isTemplate } from "../../lib/liquid-name.ts";
import { defineScorer } from "../contract/define.ts";
import { reaches, scaleFaults } from "../contract/bounds.ts";
import { formatText, judgeBody, judgePrompt, questionOf, repairBody, replyText } from "./judge-prompt.ts";
import { readVerdict } from "./judge-reply.ts";
import type { VerdictForm } from "./judge-reply.ts";
import { selectionKeys, textReader } from "../contract/text-selection.ts";
import type { Grade, JudgeScorer, Metric } from "../contract/scorer.ts";
import { loadLiquid } from "../contract/expected.ts";

/** The keys of scorers that ask a bot. */
export const judgeKeys = {
  target: z.string().describe("Name of the judge that is asked, of the suite's judges."),
  ...selectionKeys,
  rubric: z
    .string()
    .optional()
    .describe("What to judge by: a text, or a Liquid template over the case. Default: none."),
  template: z
    .string()
    .optional()
    .describe(
      "The whole prompt, a Liquid template that knows question, expected, answer, rubric, format (how to reply; added at the end when it is left out) and the columns of the row. What bots wrote is untrusted: keep it between marks. Default: a prompt that does so.",
    ),
};

const verdictsKey = z
  .union([z.array(z.string().regex(/\S/)).min(2), z.record(z.string(), z.number())])
  .optional()
  .describe(
    "The closed set of verdicts: a list from best to worst, [good, fair, bad], or verdict to value, {good: 1, bad: 0}. Default: a number instead, on scale.",
  );
const scaleKey = z
  .strictObject({ min: z.number(), max: z.number() })
  .optional()
  .describe("Between what the judge's number lies. Default: {min: 0, max: 1}.");
const thresholdKey = z.number().optional().describe("It passes from this value on. Default: the middle of the scale.");

const keys = { ...judgeKeys, verdicts: verdictsKey, scale: scaleKey, threshold: thresholdKey };
type Options = z.output<z.ZodObject<typeof keys>>;

export const judgeScorers = [
  defineScorer({
    type: "judge",
    family: "judge",
    about:
      "Another bot grades the answer: it is shown question, expected answer, answer and rubric, and replies with a verdict of a closed set or a number. A reply that cannot be read is asked for once more; then the answer is unscored. It is not told which target answered.",
    keys,
    faults: ({ verdicts, scale }) => [
      ...(verdicts !== undefined && scale !== undefined
        ? [{ key: "scale", message: "cannot be used together with verdicts: they have their own values" }]
        : []),
      ...(scale === undefined ? [] : scaleFaults(scale)),
    ],
    examples: [
      {
        about: "a number in JSON",
        scorer: { target: "grader", rubric: "Is it polite?" },
        answer: "Good morning!",
        replies: ['Let me see.\n```json\n{"score": 0.9, "reason": "It greets."}\n```'],
        score: { value: 0.9, pass: true },
      },
      {
        about: "a closed set, after a thought",
        scorer: { target: "grader", verdicts: ["good", "fair", "bad"] },
        answer: "Good morning!",
        replies: ['<think>{"verdict": "bad"}?</think>{"verdict": "Fair"}'],
        score: { value: 0.5, pass: true },
      },
    ],
    metric: (options) => judgeMetric(formOf(options)),
    prepare: loadLiquid,
    make: (options, { lowerIsBetter }) => judge(options, lowerIsBetter),
  }),
];

/** The metric of what a judge may say. */
export function judgeMetric(form: VerdictForm): Pick<Metric, "scale" | "lowerIsBetter" | "passes"> {
  const { min, max } = rangeOf(form);
  return { scale: { kind: "bounded", min, max }, lowerIsBetter: false, passes: true };
}

/** A grade by what a judge said. */
function judgeGrade(
  said: { value: number; verdict: string; reason: string },
  form: VerdictForm,
  { threshold, lowerIsBetter }: { threshold: number | undefined; lowerIsBetter: boolean },
): Grade {
  const { min, max } = rangeOf(form);
  const pass = reaches(said.value, threshold ?? (min + max) / 2, lowerIsBetter);
  return {
    value: said.value,
    pass,
    reason: said.reason === "" ? `the judge said ${said.verdict}` : `${said.verdict}: ${said.reason}`,
  };
}

function formOf({ verdicts, scale }: Options): VerdictForm {
  if (verdicts === undefined) return { kind: "number", ...(scale ?? { min: 0, max: 1 }) };
  if (!Array.isArray(verdicts)) return { kind: "set", values: verdicts };
  const last = verdicts.length - 1;
  return { kind: "set", values: Object.fromEntries(verdicts.map((name, i) => [name, (last - i) / last])) };
}

function rangeOf(form: VerdictForm): { min: number; max: number } {
  if (form.kind === "number") return form;
  const values = Object.values(form.values);
  return { min: Math.min(...values), max: Math.max(...values) };
}

const text = {
  task: "You grade the answer of an assistant to a question, fairly and strictly.",
  parts: [
    ["question", "question"],
    ["expected", "expected"],
    ["answer", "answer"],
  ] satisfies [string, string][],
};

function judge(options: Options, lowerIsBetter: boolean): JudgeScorer {
  const form = formOf(options);
  const format = formatText(form);
  const prompt = judgePrompt(options.template, text, { rubric: options.rubric, format });
  const read = textReader(options);
  return {
    kind: "judge",
    target: options.target,
    against: null,
    ask: (answer) => {
      const shown = { question: questionOf(answer), expected: answer.case.expected ?? "", answer: read(answer) ?? "" };
      const filled = prompt(answer, shown);
      return typeof filled === "string" ? [judgeBody(filled, { ...shown, ...rubricVariable(options.rubric) })] : filled;
    },
    read: ([reply = null], repaired, asked) => {
      if (reply === null) return { unscored: "the judge did not answer" };
      const said = readVerdict(replyText(reply), form);
      if (said !== null) return judgeGrade(said, form, { threshold: options.threshold, lowerIsBetter });
      if (repaired) return { unscored: "the judge's replies have no verdict that can be read" };
      return { repair: asked().map((body) => repairBody(body, replyText(reply), format)) };
    },
  };
}

/** A rubric that is the same for every case is shown as a variable too. */
export function rubricVariable(rubric: string | undefined): Record<string, string> {
  return rubric === undefined || isTemplate(rubric) ? {} : { rubric };
}
