import { z } from "zod";
import { comparesWithExpected, prepareValue, templateColumns, valueIsPattern } from "./expected.ts";
import { passScale } from "./finding.ts";
import { selectionOf, type TextSelection } from "./explain.ts";
import { rangeFaults, rangeKey, scaleWithin } from "./scale.ts";
import { commonKeys, type ScorerSpec } from "./spec.ts";
import type {
  AskedText,
  ColumnsRead,
  DescribedScorer,
  Metric,
  OptionFault,
  Scorer,
  ScorerContext,
  ScorerFamily,
  ScorerType,
} from "./scorer.ts";

/** A type of scorer as the registry holds it: its own options stay inside. */
export interface RegisteredScorer extends Required<Pick<DescribedScorer<z.ZodRawShape>, Fact>> {
  asks: AskedText | null;
  isLikeness: boolean;
  /** It says nothing of a case without an expected answer; by the keys of its entry, as the next two. */
  needsExpected: (options: Readonly<Record<string, unknown>>) => boolean;
  /** The columns of a row that it reads. */
  columnsRead: (options: Readonly<Record<string, unknown>>) => ColumnsRead;
  /** The columns that its templates name, each with the key of the template. */
  columnsNamed: (options: Readonly<Record<string, unknown>>) => readonly { key: string; column: string }[];
  /** The columns without which it says nothing of any case. */
  needsColumns: (options: Readonly<Record<string, unknown>>) => readonly string[];
  /** A whole entry of `scorers` in the suite file. */
  schema: z.ZodObject;
  /** The facts about its scores, from an entry that fits the schema. */
  metricOf: (entry: Readonly<Record<string, unknown>>) => ScorerMetric;
  /** Call it before `make`, as `load`. */
  prepare: (spec: ScorerSpec) => Promise<void>;
  make: (
    spec: ScorerSpec,
    context: ScorerContext,
  ) => { metric: ScorerMetric; scorer: Scorer; look: TextSelection | null };
}

type Fact =
  | "type"
  | "family"
  | "about"
  | "keys"
  | "examples"
  | "gradesFailures"
  | "measuresRun"
  | "hasOpinion"
  | "runsCode"
  | "readsOnly"
  | "forRows"
  | "load";

type ScorerMetric = Pick<Metric, "scale" | "lowerIsBetter" | "passes">;

/** Makes an entry of the registry. */
export function defineScorer<Keys extends z.ZodRawShape>(scorer: ScorerType<Keys>): RegisteredScorer {
  const { type, family, about, examples, keys } = scorer;
  const { faults, metric: metricOf = () => passScale } = scorer;
  const options = once(() => z.object(scorer.keys));
  const schema = once(() =>
    z
      .strictObject({ type: z.literal(type).describe(about), ...commonKeys, ...keys })
      .superRefine((written, context) => {
        const { range }: { range?: unknown } = written;
        const own = options().safeParse(written);
        // Keys that are wrong by themselves are told by the schema.
        const ofOwn = own.success
          ? [...(faults?.(own.data) ?? []), ...rangeFaults(metricOf(own.data).scale, range)]
          : [];
        const found = [...boundFaults(written), ...examplesFaults(written, family), ...ofOwn];
        for (const { key, message } of found) {
          context.addIssue({ code: "custom", message, path: key === "" ? [] : [key] });
        }
      }),
  );
  const columnsNamed: RegisteredScorer["columnsNamed"] = (written) => {
    const known = scorer.templateNames?.(options().parse(written)) ?? [];
    return Object.entries(written).flatMap(([key, value]) => {
      if (key === "value" && valueIsPattern(keys)) return [];
      const columns = templateColumns(value).filter((column) => key !== "template" || !known.includes(column));
      return columns.map((column) => ({ key, column }));
    });
  };
  return {
    type,
    family,
    about,
    examples,
    asks: scorer.asks ?? null,
    isLikeness: scorer.isLikeness ?? false,
    gradesFailures: scorer.gradesFailures ?? false,
    measuresRun: scorer.measuresRun ?? false,
    hasOpinion: scorer.hasOpinion ?? family === "judge",
    needsExpected: (written) =>
      scorer.needsExpected === undefined
        ? comparesWithExpected(keys, written)
        : scorer.needsExpected(options().parse(written)),
    columnsRead: (written) => {
      const own = scorer.columns?.(options().parse(written)) ?? [];
      return own === "all" ? own : [...own, ...columnsNamed(written).map(({ column }) => column)];
    },
    columnsNamed,
    needsColumns: (written) => scorer.needsColumns?.(options().parse(written)) ?? [],
    runsCode: scorer.runsCode ?? false,
    readsOnly: scorer.readsOnly ?? false,
    forRows: scorer.forRows ?? ["plain", "text", "service", "function"].includes(family),
    get schema() {
      return schema();
    },
    keys,
    metricOf: (written) => {
      const { data: range } = rangeKey.safeParse(written["range"]);
      const metric = metricOf(options().parse(written));
      return { ...metric, scale: scaleWithin(metric.scale, range) };
    },
    load: async () => scorer.load?.(),
    prepare: async (spec) => {
      if (scorer.prepare !== undefined) await scorer.prepare(options().parse(spec.options));
      else if (!valueIsPattern(keys)) await prepareValue(spec.options["value"]);
    },
    make: (spec, context) => {
      const parsed = options().parse(spec.options);
      const metric = metricOf(parsed);
      return {
        metric: { ...metric, scale: scaleWithin(metric.scale, spec.range) },
        scorer:
          "make" in scorer ? scorer.make(parsed, context) : { kind: "pure", grade: scorer.grade(parsed, context) },
        look: selectionOf(keys, parsed),
      };
    },
  };
}

/** Makes a schema when it is first asked for: a suite uses few types of scorers. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** Bounds that nothing can lie between. */
function boundFaults({ min, max }: Record<string, unknown>): OptionFault[] {
  if (typeof min !== "number" || typeof max !== "number" || min <= max) return [];
  return [{ key: "min", message: `is ${min}, more than max, which is ${max}: nothing could pass` }];
}

/** Nothing but a judge is written with examples. */
function examplesFaults({ examples }: Record<string, unknown>, family: ScorerFamily): OptionFault[] {
  if (examples === undefined || family === "judge") return [];
  return [{ key: "examples", message: "is for judges, and this scorer asks none: leave it out" }];
}
