import { z } from "zod";
import { endpointOf } from "../../api/endpoints.ts";
import { scaleFaults } from "../contract/bounds.ts";
import type { JsonObject } from "../../lib/json.ts";
import { parseJson } from "../../text/json-in-text.ts";
import { defineScorer } from "../contract/define.ts";
import { passMark, saidGrade } from "../contract/said-grade.ts";
import { shownCase } from "./shown-case.ts";
import type { Answer, JudgeReply, JudgeScorer, Score } from "../contract/scorer.ts";
import { loadLiquid, notBlank, templateText } from "../contract/expected.ts";

const keys = {
  target: z.string().describe("Name of the judge that is asked, of the suite's judges; its endpoint is functions."),
  rubric: z
    .string()
    .optional()
    .describe("A text that the function is given too, or a Liquid template over the case. Default: none."),
  scale: z
    .strictObject({ min: z.number(), max: z.number() })
    .default({ min: 0, max: 1 })
    .describe("Between what the function's score lies. Default: {min: 0, max: 1}."),
  threshold: z
    .number()
    .optional()
    .describe(
      "It passes from this score on, where the function does not say pass itself. Default: the middle of the scale.",
    ),
};
type Options = z.output<z.ZodObject<typeof keys>>;

export const functionJudgeScorers = [
  defineScorer({
    type: "function-judge",
    family: "judge",
    about:
      "A function grades the answer: its variables are `case` {key, question, expected, input, tags, columns, cluster, turn}, `answer` {text, output} and `rubric`; it returns {score, pass, reason}, a number, or true or false. It is not told which target answered.",
    keys,
    columns: () => "all",
    faults: ({ scale }) => scaleFaults(scale),
    examples: [
      {
        about: "what the function returns",
        scorer: { target: "grader" },
        answer: "Good morning!",
        replies: [{ return_value: { score: 0.4, pass: true, reason: "short" } }],
        score: { value: 0.4, pass: true },
      },
      {
        about: "a function that returns nonsense",
        scorer: { target: "grader" },
        answer: "Good morning!",
        replies: [{ return_value: "well done" }],
        score: { unscored: true },
      },
    ],
    metric: ({ scale }) => ({ scale: { kind: "bounded", ...scale }, lowerIsBetter: false, passes: true }),
    prepare: loadLiquid,
    make: functionJudge,
  }),
];

function functionJudge(options: Options): JudgeScorer {
  const rubricOf = options.rubric === undefined ? () => "" : templateText(options.rubric);
  return {
    kind: "judge",
    target: options.target,
    against: null,
    ask: (answer) => {
      const rubric = options.rubric === undefined ? "" : notBlank(rubricOf(answer));
      return typeof rubric === "string" ? [{ variables: variablesOf(answer, rubric) }] : rubric;
    },
    read: ([reply = null]) => (reply === null ? { unscored: "the function did not answer" } : gradeOf(reply, options)),
  };
}

function variablesOf(answer: Answer, rubric: string): JsonObject {
  const output = answer.record?.output ?? {};
  return {
    case: shownCase(answer),
    // Nothing here differs from run to run by itself, so that the same question is not asked twice.
    answer: { text: endpointOf(answer.endpoint).textOf(output), output },
    ...(rubric !== "" && { rubric }),
  };
}

function gradeOf({ output }: JudgeReply, options: Options): Score {
  const { scale } = options;
  const returned = output["return_value"] ?? null;
  const said = typeof returned === "string" ? (parseJson(returned) ?? returned) : returned;
  const error = output["error"];
  if (said === null)
    return {
      unscored: `the function returned nothing${typeof error === "string" && error !== "" ? `: ${error}` : ""}`,
    };
  const { value, pass, reason } = saidGrade(said, scale, ["score", "value"]);
  if (value === null) return { unscored: `the function returned no score: ${JSON.stringify(said).slice(0, 200)}` };
  if (value < scale.min || value > scale.max)
    return { unscored: `the function's score ${value} is not between ${scale.min} and ${scale.max}` };
  return {
    value,
    pass: pass ?? value >= (passMark(options) ?? scale.max),
    reason: reason ?? `the function gave ${value}`,
  };
}
