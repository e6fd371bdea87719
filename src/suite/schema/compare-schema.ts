import { z } from "zod";
import { defaultNights } from "../default-values.ts";
import { text } from "./form.ts";
import { storedAs, storedWhen } from "./kept.ts";

/** Keys of `compare:` about the sides. */
export const sideKeys = {
  baseline: text
    .optional()
    .describe("Target that the others are compared with. Default: the one named prod, else the first."),
  candidates: z.array(text).min(1).optional().describe("Targets to compare with the baseline. Default: all others."),
  noise_repeats: z
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .describe("The baseline runs at least this many times per case, to know how much it varies by itself. Default: 1."),
  same: storedWhen(
    z
      .boolean()
      .default(false)
      .describe(
        "true: both sides are the same bot on purpose (an A/A run). Without it a run whose sides are sent the same is refused, and with it one whose sides are not. Default: false.",
      ),
    true,
    true,
  ),
};

/** Keys of `compare:` about the decision. */
export const decisionKeys = {
  alpha: z
    .number()
    .gt(0)
    .max(0.5)
    .default(0.05)
    .describe("How often a gate may call a regression although nothing is worse than the margin. Default: 0.05."),
  nights: z
    .int()
    .min(1)
    .max(1_000)
    .default(1)
    .describe(
      "Over how many runs alpha is spent: with 30 and alpha 0.05, one false alarm in twenty months without a change. Default: 1.",
    ),
  choose: z
    .enum(["best", "cheapest"])
    .optional()
    .describe(
      "best: say which of all targets is the best by the primary metric; cheapest: the cheapest of those that are surely worse by less than `margin`. Where a baseline is named, choosing another one is a change (exit 1). Default: nothing is chosen.",
    ),
  race: z
    .enum(["close", "best"])
    .optional()
    .describe(
      "With choose: best, a configuration that is behind beyond doubt is not asked any more (later: tandem resume --rest). close: it ends once the best of the others is surely ahead by less than `margin`; best: when one is left. Default: everything is sent.",
    ),
  margin: z
    .number()
    .gt(0)
    .optional()
    .describe(
      "With choose: cheapest, the loss beside the best that is accepted: of a pass rate as a share (0.02: two points), else in the score's own unit.",
    ),
  stop_when: storedWhen(
    z
      .enum(["decided", "never"])
      .default("never")
      .describe(
        "decided: send nothing more once every gate passes, or one has found a regression (the rest later: tandem resume --rest). Gates of scores without bounds need every case. Default: never.",
      ),
    "decided",
    "decided",
  ),
  looks: storedWhen(
    z
      .union([z.literal(1), z.literal(2)])
      .default(1)
      .describe(
        "2: more cases may follow where the first look is open, at most twice as many. Both looks decide at 3 %. Default: 1.",
      ),
    2,
    2,
  ),
  confirm: storedWhen(
    z
      .enum(["rerun", "off"])
      .default("off")
      .describe(
        "rerun: the cases of a regression are asked once more, on both sides; it is one only where both looks together say so too. Default: off.",
      ),
    "rerun",
    true,
  ),
  ignore: storedAs(
    z
      .array(text)
      .optional()
      .describe(
        "Member paths of output whose differences do not count, such as final_prompt or references[].score; what is below them does not count either. Default: none.",
      ),
    z.array(text),
    (paths) => paths ?? [],
  ),
};

/** `compare:` */
export const compareSection = z.strictObject({ ...sideKeys, ...decisionKeys }).describe("What is compared with what.");

/** `history:` */
export const historySection = z
  .strictObject({
    nights_per_false_alarm: z
      .int()
      .min(10)
      .max(100_000)
      .default(defaultNights)
      .describe(
        `One false alarm in so many nights in the mean, over all series that are watched together: the primary metric, the errors, the latency and the cost of each target. Default: ${defaultNights}.`,
      ),
  })
  .describe("How the nights of the suite are watched for changes (`tandem history`).");

/** The limit of each kind of gate, by the key that it is written with: a line here, and the compiler leads through the rest (CONTRIBUTING). */
const limits = {
  margin: z
    .number()
    .min(0)
    .optional()
    .describe(
      "Loss that is still accepted, above 0: of a pass rate as a share (0.05: five points), of a mean or median value in the score's own unit, of a ratio as a share. Default: 0.05 of a pass rate or a ratio, 5 % of the range of a bounded score.",
    ),
  losses: z
    .int()
    .min(0)
    .optional()
    .describe(
      "Instead of a margin, for answers that repeat themselves (functions), or with repeats: 3: at most so many cases may turn from passing in all runs to failing in all, also for want of an answer or a grade. No claim is made beyond these cases.",
    ),
  cases: z
    .strictObject({
      pass: z.string().max(100).describe("Passes that are asked of each case, and its tries: 3 of 5."),
    })
    .optional()
    .describe(
      "Instead of a margin, for golden rows: every case must pass at least so many of its tries, such as { pass: 3 of 5 }, with as many repeats. A try without an answer has not passed; no claim is made beyond these cases.",
    ),
};

/** The limit of each kind of gate. */
export type GateLimits = { [Kind in keyof typeof limits]: NonNullable<z.output<(typeof limits)[Kind]>> };

/** An entry of `gates:`. */
export const gate = z
  .strictObject({
    metric: text.optional().describe("Name of the scorer that the gate is about."),
    ...limits,
    of: z
      .enum(["pass", "value", "median", "ratio"])
      .optional()
      .describe(
        "Pass rate, mean, the median of the differences (where a few values are very large), or the ratio of the two sides (for what is above 0, such as latency). Default: pass where the scorer says pass or fail, else value.",
      ),
    by: text
      .optional()
      .describe(
        "Name of a tag: one gate for each of its values (Holm over the values). A value with too few cases for a pass is named as such, and the verdict does not wait for it.",
      ),
    confirm: storedAs(
      z
        .enum(["rerun", "off"])
        .optional()
        .describe("rerun: a regression that this gate finds is asked once more. Default: what `compare` says."),
      z.boolean().optional(),
      (written) => (written === undefined ? undefined : written === "rerun"),
    ),
    require: z
      .enum(["labels"])
      .optional()
      .describe(
        "labels: the gate of a judge decides only by people's labels of cases that were drawn at random (`tandem label draw`). Default: such labels decide where there are enough, else the judge.",
      ),
    accept: z
      .enum(["disagreement"])
      .optional()
      .describe(
        "disagreement: the gate of a judge goes by people's labels although people do not agree enough (Krippendorff's alpha with its lower end below .667). Default: such labels decide nothing.",
      ),
    errors: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        "Largest share of runs without an answer, per target, with which a comparison is valid. Default: 0.05.",
      ),
  })
  .describe(
    "A rule that turns a comparison into regression, pass or inconclusive; or errors: a rule for its validity.",
  );

/** A rule about one metric as a suite keeps it: the candidate may be worse than the baseline by no more than the limit of its kind. */
export const gateSettings = z.object({
  metric: z.string(),
  /** Margin in the unit of `of`; null: the default of the metric. */
  margin: limits.margin.unwrap().nullable(),
  /** null: pass where the scorer says pass or fail, else value. */
  of: gate.shape.of.unwrap().nullable(),
  losses: limits.losses.unwrap().nullable().exactOptional(),
  /** Tag of which each value is decided for itself; null or left out: all cases together. */
  by: z.string().nullable().exactOptional(),
  cases: limits.cases.unwrap().nullable().exactOptional(),
  /** A regression that it finds is asked once more; null or left out: as for all gates. */
  confirm: z.boolean().nullable().exactOptional(),
  /** People's labels decide, and nothing else may; left out: the judge does where there are none. */
  require: gate.shape.require.unwrap().exactOptional(),
  /** Labels of people who do not agree enough count. */
  accept: gate.shape.accept.unwrap().exactOptional(),
} satisfies Record<keyof typeof limits, z.ZodType> & z.ZodRawShape);
