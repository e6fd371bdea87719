import type { z } from "zod";
import { vectorIn } from "../../api/embeddings.ts";
import { boundsText, thresholdKeys, within, type ScoreBounds } from "../contract/bounds.ts";
import { defineScorer } from "../contract/define.ts";
import { expectedText, loadLiquid, orExpected } from "../contract/expected.ts";
import type { Grade, JudgeReply, JudgeScorer, Score } from "../contract/scorer.ts";
import { measureSelectionKeys, textReader } from "../contract/text-selection.ts";
import { judgedByFaults, judgedByKeys } from "./judge.ts";

const { target, deployment, model } = judgedByKeys;

const keys = {
  target: target.describe(
    "Name of the judge of the suite that turns texts into vectors (endpoint: embeddings). Needed, but where deployment is given.",
  ),
  deployment: deployment.describe(
    "Instead of target: name of a deployment of the suite, which is asked for embeddings with model.",
  ),
  model: model.describe("With deployment: the model that turns texts into vectors."),
  value: orExpected,
  ...measureSelectionKeys,
  ...thresholdKeys,
};
type Options = z.output<z.ZodObject<typeof keys>>;

export const embeddingScorers = [
  defineScorer({
    type: "embedding-similarity",
    family: "judge",
    hasOpinion: false,
    about:
      "How alike the answer and the expected one are in meaning, as a model sees it: the cosine of their embeddings, which a deployment makes (`POST /embeddings`). Each text is asked about once, like a question to a judge. Most models give unrelated texts well over 0: read a few scores before you set `range` and `threshold`. An empty answer is 0.",
    keys,
    faults: judgedByFaults,
    examples: [
      {
        about: "vectors that point in nearly the same direction",
        scorer: { deployment: "models", model: "small", threshold: 0.8 },
        expected: "It opens at nine.",
        answer: "The doors open at 9.",
        replies: [vectorReply([1, 2, 2]), vectorReply([2, 2, 1])],
        score: { value: 8 / 9, pass: true },
      },
      {
        about: "vectors of two models",
        scorer: { deployment: "models", model: "small" },
        expected: "It opens at nine.",
        answer: "The doors open at 9.",
        replies: [vectorReply([1, 2, 2]), vectorReply([2, 2])],
        score: { unscored: true },
      },
      {
        about: "an empty answer",
        scorer: { target: "embedder", threshold: 0.8 },
        expected: "It opens at nine.",
        answer: { output_text: [] },
        score: { value: 0, pass: false },
      },
    ],
    metric: (options) => ({
      // Cosines go down to -1, and hardly any of two texts does.
      scale: { kind: "bounded", min: 0, max: 1, cut: "usual" },
      lowerIsBetter: false,
      passes: within(0, options, false) !== null,
    }),
    prepare: loadLiquid,
    make: embeddingSimilarity,
  }),
];

function vectorReply(embedding: number[]) {
  return { data: [{ index: 0, embedding }] };
}

function embeddingSimilarity(options: Options): JudgeScorer {
  const read = textReader(options);
  const wantedOf = expectedText(options.value);
  const gradeOf = (value: number, reason: string): Grade => graded({ value, reason }, options);
  return {
    kind: "judge",
    target: options.target ?? "",
    against: null,
    ask: (answer) => {
      const wanted = wantedOf(answer);
      if (typeof wanted !== "string") return wanted;
      const text = read(answer) ?? "";
      if (text.trim() === "") return gradeOf(0, "the answer is empty");
      return [{ input_prompt: text }, { input_prompt: wanted }];
    },
    read: (replies) => similarity(replies, gradeOf),
  };
}

function graded({ value, reason }: { value: number; reason: string }, bounds: ScoreBounds): Grade {
  const asked = boundsText(bounds, false);
  return {
    value,
    pass: within(value, bounds, false),
    reason: asked === "" ? reason : `${reason}; asked for ${asked}`,
  };
}

/** The cosine of the vectors of answer and expected text, or the reason why there is none. */
function similarity(replies: readonly (JudgeReply | null)[], gradeOf: (value: number, reason: string) => Grade): Score {
  const [one, other] = ["the answer", "the expected text"].map((what, place) => {
    const reply = replies[place] ?? null;
    if (reply === null) return { fault: `the model did not answer about ${what}` };
    const found = vectorIn(reply.output);
    return "fault" in found ? { fault: `the reply about ${what} ${found.fault}` } : found;
  });
  if (one === undefined || other === undefined) return { unscored: "the model did not answer" };
  if ("fault" in one) return { unscored: one.fault };
  if ("fault" in other) return { unscored: other.fault };
  if (one.vector.length !== other.vector.length) {
    const lengths = `${one.vector.length} and ${other.vector.length} numbers`;
    return { unscored: `the vectors of answer and expected text have ${lengths}: they are not of the same model` };
  }
  const cosine = cosineOf(one.vector, other.vector);
  return gradeOf(cosine, `the cosine with the expected text is ${cosine.toFixed(4)}`);
}

/** The cosine of the angle between two vectors of the same length, neither of them all zeros; from -1 to 1. */
function cosineOf(one: Float64Array, other: Float64Array): number {
  // Divided by their largest member first, so that no square is beyond what a number holds.
  const [a, b] = [one, other].map((vector) => {
    const largest = vector.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
    return vector.map((number) => number / largest);
  });
  if (a === undefined || b === undefined) return 0;
  const product = a.reduce((sum, number, place) => sum + number * (b[place] ?? 0), 0);
  return Math.min(1, Math.max(-1, product / (lengthOf(a) * lengthOf(b))));
}

const lengthOf = (vector: Float64Array): number => Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
