import { z } from "zod";
import { defineScorer } from "../contract/define.ts";
import { scaleFaults } from "../contract/bounds.ts";
import {
  formatText,
  judgeBody,
  judgePrompt,
  questionOf,
  repairBody,
  replyText,
  textsOfOthers,
} from "./judge-prompt.ts";
import { readVerdict, type VerdictForm } from "./judge-reply.ts";
import { selectionKeys, textReader } from "../contract/text-selection.ts";
import { passScale } from "../contract/finding.ts";
import type { Grade, JudgeScorer, Metric, OptionFault } from "../contract/scorer.ts";
import { rubricLanguages } from "../rubrics/rubric.ts";
import { readyRubric, rubricNames } from "../rubrics/rubrics.ts";
import { prepareRubric, rubricFaults, rubricReader, rubricVariable } from "./judge-rubric.ts";
import { sourcesColumn, sourcesFaults, sourcesKeys, sourcesReader } from "./judge-sources.ts";

/** Who is asked: a judge of the suite, or a bot or model that a deployment runs. */
export const judgedByKeys = {
  target: z
    .string()
    .optional()
    .describe("Name of the judge that is asked, of the suite's judges. Needed, but where deployment is given."),
  deployment: z
    .string()
    .optional()
    .describe(
      "Instead of target: name of a deployment of the suite, which is asked with model or example_id; with neither, the only judge of the suite there.",
    ),
  model: z.string().regex(/\S/).optional().describe("With deployment: the model that judges, over chat-completions."),
  example_id: z.string().regex(/\S/).optional().describe("With deployment: the saved bot that judges (video-bots)."),
};

/** Faults of who is asked: no judge, or two. */
export function judgedByFaults({ target, deployment, model, example_id: id }: JudgedByOptions): OptionFault[] {
  if (target !== undefined && deployment !== undefined) {
    return [{ key: "deployment", message: "cannot be used together with target: one of them says who is asked" }];
  }
  const [own] = Object.entries({ model, example_id: id }).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (own !== undefined && deployment === undefined) {
    return [{ key: own, message: "is for deployment, and there is none: a judge of the suite has its own" }];
  }
  if (model !== undefined && id !== undefined) {
    return [{ key: "example_id", message: "cannot be used together with model: one of them judges" }];
  }
  return target === undefined && deployment === undefined
    ? [{ key: "target", message: "is required: the name of a judge of the suite, or a deployment in its place" }]
    : [];
}

interface JudgedByOptions {
  target?: string | undefined;
  deployment?: string | undefined;
  model?: string | undefined;
  example_id?: string | undefined;
}

/** The keys of scorers that ask a bot. */
export const judgeKeys = {
  ...judgedByKeys,
  ...selectionKeys,
  rubric: z
    .string()
    .optional()
    .describe(
      `What to judge by: the name of a ready rubric (${rubricNames.join(", ")}), a text, or a Liquid template over the case. Default: none.`,
    ),
  language: z
    .string()
    .optional()
    .describe(
      `Language of a ready rubric (${rubricLanguages.join(", ")}; English for any other): a code such as es, or a template such as {{ tags.language }}. Default: the case's tag or column \`language\`, else en.`,
    ),
  template: z
    .string()
    .optional()
    .describe(
      "The whole prompt, a Liquid template that knows question, expected, sources, answer, rubric, format (how to reply) and the columns of the row. Keep what bots wrote between marks. Default: a prompt that does so.",
    ),
};

const verdictsKey = z
  .union([z.array(z.string().regex(/\S/)).min(2), z.record(z.string(), z.number())])
  .optional()
  .describe(
    "The closed set of verdicts: a list from best to worst, [good, fair, bad], or verdict to value, {good: 1, bad: 0}. Default: pass or fail for a ready rubric, else a number, on scale.",
  );
const scaleKey = z
  .strictObject({ min: z.number(), max: z.number() })
  .optional()
  .describe("Between what the judge's number lies. Default: {min: 0, max: 1}.");
const thresholdKey = z.number().optional().describe("It passes from this value on. Default: the middle of the scale.");

const keys = { ...judgeKeys, ...sourcesKeys, verdicts: verdictsKey, scale: scaleKey, threshold: thresholdKey };
type Options = z.output<z.ZodObject<typeof keys>>;

export const judgeScorers = [
  defineScorer({
    type: "judge",
    family: "judge",
    about:
      "Another bot grades the answer: it is shown question, expected answer, answer and rubric, and replies with a verdict of a closed set or a number. A reply that cannot be read is asked for once more; then the answer is unscored. It is not told which target answered. With a [ready rubric](#ready-rubrics) it says pass or fail, and is shown what that rubric needs and nothing else.",
    keys,
    needsExpected: ({ rubric }) => readyRubric(rubric)?.needs.includes("expected") === true,
    columns: (options) => columnsOf(options),
    templateNames: ({ sources, sources_on: on, ...options }) => [
      "answer",
      "rubric",
      "format",
      ...(sources === undefined && on === undefined && sourcesColumn(options) === null ? [] : ["sources"]),
    ],
    needsColumns: (options) => columnsOf(options),
    faults: ({ verdicts, scale, ...options }) => [
      ...judgedByFaults(options),
      ...rubricFaults(options, "judge"),
      ...sourcesFaults(options),
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
      {
        about: "a ready rubric, which says pass or fail",
        scorer: { target: "grader", rubric: "faithful-to-sources" },
        answer: "It opens at nine.",
        with: { case: { columns: { sources: "Open from 9:00 to 17:00." } } },
        replies: ['{"verdict": "pass", "reason": "The sources say so."}'],
        score: { value: 1, pass: true },
      },
      {
        about: "a row without the sources that the rubric needs",
        scorer: { target: "grader", rubric: "faithful-to-sources" },
        answer: "It opens at nine.",
        score: { unscored: true },
      },
    ],
    metric: (options) => (saysPassOrFail(options) ? passScale : judgeMetric(formOf(options))),
    prepare: prepareRubric,
    make: judge,
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
  threshold: number | undefined,
): Grade {
  const { min, max } = rangeOf(form);
  const pass = said.value >= (threshold ?? (min + max) / 2);
  return {
    value: said.value,
    pass,
    reason: said.reason === "" ? `the judge said ${said.verdict}` : `${said.verdict}: ${said.reason}`,
  };
}

/** A ready rubric is passed or failed, unless the suite wants other verdicts of it. */
const saysPassOrFail = ({ rubric, verdicts, scale }: Options): boolean =>
  readyRubric(rubric) !== null && verdicts === undefined && scale === undefined;

function formOf(options: Options): VerdictForm {
  const { verdicts, scale } = options;
  if (saysPassOrFail(options)) return { kind: "set", values: { pass: 1, fail: 0 } };
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

const task = "You grade the answer of an assistant to a question, fairly and strictly.";

function judge(options: Options): JudgeScorer {
  const form = formOf(options);
  const format = formatText(form);
  const ready = readyRubric(options.rubric);
  const sourcesOf = sourcesReader(options);
  // A judge that sees more than its rubric is about also judges by that.
  const showsExpected = ready === null || options.template !== undefined || ready.needs.includes("expected");
  const parts = [
    "question",
    ...(sourcesOf === null ? [] : ["sources"]),
    ...(showsExpected ? ["expected"] : []),
    "answer",
  ];
  const prompt = judgePrompt(options.template, { task, parts: parts.map((name) => [name, name]) }, format);
  const rubricOf = rubricReader(options);
  const read = textReader(options);
  return {
    kind: "judge",
    target: options.target ?? "",
    against: null,
    ask: (answer) => {
      const rubric = rubricOf(answer);
      if (typeof rubric !== "string") return rubric;
      const sources = sourcesOf?.(answer);
      if (typeof sources === "object") return sources;
      const shown = {
        question: questionOf(answer.case),
        ...(sources !== undefined && { sources }),
        ...(showsExpected && { expected: answer.case.expected ?? "" }),
        answer: read(answer) ?? "",
      };
      const filled = prompt(answer, { ...shown, rubric });
      return typeof filled === "string"
        ? [judgeBody(filled, { ...shown, ...rubricVariable(options.rubric, rubric) })]
        : filled;
    },
    read: ([reply = null], repaired, asked) => {
      if (reply === null) return { unscored: "the judge did not answer" };
      const said = readVerdict(replyText(reply), form, textsOfOthers(asked()[0]));
      if (said !== null) return judgeGrade(said, form, options.threshold);
      if (repaired) return { unscored: "the judge's replies have no verdict that can be read" };
      return { repair: asked().map((body) => repairBody(body, replyText(reply), format)) };
    },
  };
}

function columnsOf(options: Options): string[] {
  const column = sourcesColumn(options);
  return column === null ? [] : [column];
}
