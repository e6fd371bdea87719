import { z } from "zod";
import { messageEntry } from "../../api/messages.ts";
import { videoBotsBody, type VideoBotsBody } from "../../api/video-bots-schema.ts";
import { guardedPattern } from "../../text/pattern.ts";
import { latencySettings } from "./drawn-latency.ts";
import { filledTemplate } from "./filled-template.ts";

/** One text for every language, or one per language code (`en`, `hi`, ...). */
const textByLanguage = z.union([z.string(), z.record(z.string(), z.string())]);

/** A regular expression as it is written. */
const pattern = z.string().superRefine((source, context) => {
  try {
    guardedPattern(source, "i");
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: "custom", message: `must be a regular expression, but: ${problem}` });
  }
});

const share = z.number().min(0).max(1);

const retrievalSettings = z.strictObject({
  max_references: z.int().min(0).max(50).default(3).describe("How many articles an answer refers to at most."),
  min_score: share
    .default(0.3)
    .describe("Share of what a question says that an article must cover; below it the fallback is answered."),
  fuzzy: share
    .default(0.2)
    .describe("Edits allowed in a word that the base does not know, as a share of its length; 0 turns this off."),
  chunk: z
    .enum(["article", "paragraph", "sentence"])
    .default("paragraph")
    .describe("What is searched and referred to as one piece."),
  answer_sentences: z
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe("How many sentences of the best article make an answer."),
});
export type RetrievalSettings = z.infer<typeof retrievalSettings>;

const toneSettings = z.strictObject({
  prefix: textByLanguage.default("").describe("Said before every answer."),
  suffix: textByLanguage.default("").describe("Said after every answer."),
});

const judgeSettings = z.strictObject({
  nonsense_rate: share.default(0).describe("Share of verdicts that cannot be read as a verdict."),
  position_bias: share
    .default(0)
    .describe("Share of comparisons in which the answer shown first wins whatever it says."),
  length_bias: share
    .default(0)
    .describe(
      "Share of verdicts in which an answer with over a quarter more words than what was expected (than 20 where nothing was) gets full marks; of two answers the longer one wins.",
    ),
  noise: share
    .default(0)
    .describe(
      "Share of verdicts that are turned round: an answer that passes gets the lowest mark, one that fails full marks, and of two the worse one wins.",
    ),
  own_family: z
    .strictObject({
      says: z
        .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
        .describe("Words by which it takes an answer for one of its own family, or a list of such words."),
      share: share.describe("Share of verdicts in which such an answer is favoured."),
    })
    .nullable()
    .default(null)
    .describe(
      "Words by which it takes an answer for one of its own family, and the share of verdicts in which such an answer gets full marks; of two it wins.",
    ),
  obedience: share
    .default(0)
    .describe("Share of verdicts in which an answer that asks for full marks gets them; of two it wins."),
  constant: share
    .nullable()
    .default(null)
    .describe("The mark of every answer, as a share of the scale, and a tie of any two; null: it looks at them."),
  pass_score: share.default(0.5).describe("The score from which an answer passes."),
});
export type JudgeSettings = z.infer<typeof judgeSettings>;

/** The most numbers of a vector. */
export const mostDimensions = 4096;

const embeddingSettings = z.strictObject({
  dimensions: z
    .int()
    .min(2)
    .max(mostDimensions)
    .default(256)
    .describe("Numbers of a vector, where a request does not say. Words and parts of words are counted into them."),
});

/** Everything of `bots/ID.yaml` that concerns answering. Fields named like request fields can be replaced by a request. */
export const botSettings = z.strictObject({
  input_prompt: z.string().default("").describe("The demo prompt, used when a request has none."),
  messages: z.array(messageEntry).default([]).describe("The demo history, used when a request has none."),
  variables: z
    .record(z.string(), z.json())
    .default({})
    .describe("Values for the templates; a request's variables are merged over them key by key."),
  bot_script: filledTemplate
    .default("")
    .describe("The instructions of the bot, a Liquid template, shown in final_prompt."),
  selected_model: z.string().nullable().default(null).describe("The name of the model, shown and checked only."),
  models: z
    .array(z.string())
    .nullable()
    .default(null)
    .describe("The models there are; a run with another one fails with an error. null accepts all."),
  documents: z.array(z.string()).default([]).describe("Names of documents, kept for callers that send them; not read."),
  user_language: z
    .string()
    .nullable()
    .default(null)
    .describe("The language to answer in; null takes the language of the question."),
  num_outputs: z.int().min(1).max(16).default(1).describe("How many answers one run gives."),
  sampling_temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0)
    .describe(
      "0 always gives the same answer; above it, wording, order and sometimes the article vary from run to run.",
    ),
  seed: z
    .union([z.string(), z.number()])
    .default(1)
    .describe("Seed of everything random; a fresh server repeats itself."),
  knowledge: z
    .array(z.string())
    .default([])
    .describe("Files or folders of articles, relative to the served directory: Markdown (.md) and JSONL (.jsonl)."),
  exclude: z.array(z.string()).default([]).describe("Ids of articles that are left out."),
  retrieval: retrievalSettings.prefault({}).describe("How articles are found and answers are made of them."),
  greeting: textByLanguage.default("Hello! How can I help you?").describe("The answer to a greeting."),
  fallback: textByLanguage
    .default("I am sorry, I have no information about that.")
    .describe("The answer when no article fits."),
  tone: toneSettings.prefault({}).describe("Texts that are said around an answer."),
  answers: z
    .record(pattern, z.record(z.string(), z.json()))
    .default({})
    .describe(
      "A regular expression (any case) to the members of the output that answer a prompt in which it is found, such as `output_text`, `output_audio`, `reply_buttons` or `finish_reason`; the first one found counts. Any other prompt is answered from the articles.",
    ),
  show_prompt: z.boolean().default(false).describe("Whether final_prompt holds the conversation as the bot saw it."),
  latency: latencySettings.prefault({}).describe("How long a run takes."),
  embedding: embeddingSettings
    .nullable()
    .default(null)
    .describe("Makes the bot turn texts into vectors instead of giving answers: it is asked at `/v1/embeddings`."),
  judge: judgeSettings.nullable().default(null).describe("Makes the bot grade answers instead of giving them."),
});
export type BotSettings = z.infer<typeof botSettings>;

/** The saved values of the fields that a request can replace, as a request: what a request is merged over. */
export function savedRequest(settings: BotSettings): VideoBotsBody {
  const { max_references } = settings.retrieval;
  return videoBotsBody.parse({
    input_prompt: settings.input_prompt,
    messages: settings.messages,
    variables: settings.variables,
    bot_script: settings.bot_script,
    selected_model: settings.selected_model,
    documents: settings.documents,
    user_language: settings.user_language,
    sampling_temperature: settings.sampling_temperature,
    num_outputs: settings.num_outputs,
    max_references,
  });
}
