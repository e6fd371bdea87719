import { z } from "zod";
import { canonicalJson, type JsonValue, withPlainNumbers } from "../../lib/json.ts";
import { numeralOf } from "../../lib/lost-digits.ts";
import { memberText } from "../../text/value-text.ts";
import { parseExactJson, jsonValuesIn } from "../../text/json-in-text.ts";
import { numbersIn } from "../../text/numbers.ts";
import { normalise } from "../../text/normalise.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { boundKeys, boundsText, within } from "../contract/bounds.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { compilePath } from "../../text/json-path.ts";
import { pathFault, pathKey, valueReader } from "../contract/text-selection.ts";
import { loadSchemas, schemaCheck } from "./schema-check.ts";
import { type Answer, isBesideThePoint, type Score, type Unscored } from "../contract/scorer.ts";
import { loadLiquid, notBlank, nothingWanted, templateText } from "../contract/expected.ts";
import { endpointOf } from "../../api/endpoints.ts";

/** The keys of scorers that look at a JSON value. */
const jsonSelectionKeys = {
  on: pathKey.optional(),
  parse: z
    .boolean()
    .optional()
    .describe(
      "Read a text as JSON first. Default: true for a bot's answer, false with on and for a function's return value.",
    ),
  within: z
    .boolean()
    .default(false)
    .describe("Take the first JSON object or list inside of the text, such as in a code fence. Default: false."),
};

/** A JSON value of an answer, with those behind it in the same text; or why there is none. */
type ReadJson = { value: JsonValue; others: JsonValue[] } | { missing: string };

/** Reads the JSON value that is looked at. */
function jsonReader(options: {
  on?: string | undefined;
  parse?: boolean | undefined;
  within: boolean;
}): (answer: Answer) => ReadJson {
  const { on, within: searches } = options;
  const read = on === undefined ? wholeAnswer : valueReader(on);
  const what = on ?? "the answer";
  return (answer) => {
    const value = read(answer);
    if (value === undefined) return { missing: `there is no ${what === "the answer" ? "answer" : what}` };
    const parses = options.parse ?? (on === undefined && endpointOf(answer.endpoint).answersWith === "text");
    if (typeof value !== "string" || !(parses || searches)) return { value, others: [] };
    const [parsed, ...others] = searches ? jsonValuesIn(value, parseExactJson) : [parseExactJson(value)];
    return parsed === undefined
      ? { missing: `${what} ${searches ? "holds no JSON" : "is not JSON"}` }
      : { value: parsed, others: others.filter((each) => each !== undefined) };
  };
}

function wholeAnswer({ endpoint, record }: Answer): JsonValue | undefined {
  return record === null ? undefined : endpointOf(endpoint).valueOf(record.output);
}

const { on, within: withinKey } = jsonSelectionKeys;
const jsonObject = z.record(z.string(), z.json());

const pathKeys = {
  ...jsonSelectionKeys,
  not: notKey,
  path: z
    .string()
    .superRefine((text, context) => {
      const fault = pathFault(text);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    })
    .describe("A JSON path (RFC 9535) into the value, such as $.items[0].price, $..name or $.items[?@.sold == true]."),
  equals: z
    .json()
    .optional()
    .describe(
      'What the value there equals: any JSON value, or a template such as "{{ expected }}". Default: not asked.',
    ),
  contains: z
    .union([z.string(), z.number(), z.boolean()])
    .optional()
    .describe(
      "A text that is part of the text there, or an entry of the list there; or a template. Default: not asked.",
    ),
  ...boundKeys,
  every: z
    .boolean()
    .default(false)
    .describe("Every value that the path leads to must be so, not only one. Default: false."),
};
type PathOptions = z.output<z.ZodObject<typeof pathKeys>>;

export const jsonScorers = [
  defineScorer({
    type: "is-json",
    family: "plain",
    about: "The text is JSON.",
    keys: { on, within: withinKey, not: notKey },
    examples: [
      { about: "an object", scorer: {}, answer: '{"a": [1, 2]}', score: "passes" },
      { about: "prose around it", scorer: {}, answer: 'Sure: {"a": 1}', score: "fails" },
      {
        about: "in a code fence, when asked",
        scorer: { within: true },
        answer: '```json\n{"a": 1}\n```',
        score: "passes",
      },
    ],
    grade: isJson,
  }),
  defineScorer({
    type: "json-schema",
    family: "plain",
    about:
      "The JSON value fits a JSON Schema: 2020-12, or draft-07 where its $schema says so. Nothing is loaded from elsewhere.",
    keys: {
      ...jsonSelectionKeys,
      within: z
        .union([z.boolean(), z.literal("any")])
        .default(false)
        .describe(
          "true: take the first JSON object or list inside of the text, such as in a code fence; any: one of them that fits is enough. Default: false.",
        ),
      not: notKey,
      schema: jsonObject.describe("The JSON Schema."),
    },
    examples: [
      {
        about: "a member is missing",
        scorer: { schema: { type: "object", required: ["price"] } },
        answer: '{"name": "bike"}',
        score: "fails",
      },
      {
        about: "one of several that fits",
        scorer: { schema: { type: "object", required: ["price"] }, within: "any" },
        answer: 'First {"name": "bike"}, then {"price": 4}.',
        score: "passes",
      },
      {
        about: "a member of the output",
        scorer: { on: "references", schema: { type: "array", minItems: 1, items: { required: ["url"] } } },
        answer: { output_text: ["x"], references: [{ url: "https://a.example", title: "A" }] },
        score: "passes",
      },
      {
        about: "draft-07",
        scorer: {
          schema: {
            $schema: "http://json-schema.org/draft-07/schema#",
            type: "array",
            items: [{ type: "number" }],
            additionalItems: false,
          },
        },
        answer: "[1, 2]",
        score: "fails",
      },
    ],
    prepare: loadSchemas,
    grade: fitsSchema,
  }),
  defineScorer({
    type: "json-path",
    family: "plain",
    about:
      "The JSON value has something at a path: a value at all, or one that equals, contains or lies between what is given.",
    keys: pathKeys,
    examples: [
      {
        about: "a number",
        scorer: { path: "$.items[0].price", min: 1, max: 5 },
        answer: '{"items": [{"price": 4.5}]}',
        score: "passes",
      },
      {
        about: "a name somewhere",
        scorer: { path: "$..name", equals: "bike" },
        answer: '{"a": [{"name": "car"}, {"name": "bike"}]}',
        score: "passes",
      },
      {
        about: "an entry of a list",
        scorer: { path: "tags", contains: "new" },
        answer: '{"tags": ["old"]}',
        score: "fails",
      },
      {
        about: "the expected answer",
        scorer: { path: "total", equals: "{{ expected }}" },
        expected: "12",
        answer: '{"total": 12}',
        score: "passes",
      },
      {
        about: "a filter",
        scorer: { on: "references", path: "$[?@.score > 0.5]" },
        answer: { references: [{ score: 0.2 }, { score: 0.9 }] },
        score: "passes",
      },
    ],
    prepare: async ({ equals, contains }) => {
      if ([equals, contains].some((each) => typeof each === "string" && isTemplate(each))) await loadLiquid();
    },
    grade: pathGrade,
  }),
];

function isJson(options: { on?: string | undefined; within: boolean; not: boolean }): (answer: Answer) => Score {
  const read = jsonReader({ ...options, parse: true });
  return (answer) => {
    const found = read(answer);
    const what = options.on ?? "the answer";
    return "missing" in found
      ? verdict(false, options.not, found.missing)
      : verdict(true, options.not, `${what} is JSON`);
  };
}

function fitsSchema(
  options: Omit<Parameters<typeof jsonReader>[0], "within"> & {
    within: boolean | "any";
    not: boolean;
    schema: { [member: string]: JsonValue };
  },
): (answer: Answer) => Score {
  const read = jsonReader({ ...options, within: options.within !== false });
  const check = schemaCheck(options.schema);
  return (answer) => {
    const found = read(answer);
    if ("missing" in found) return verdict(false, options.not, found.missing);
    const all = options.within === "any" ? [found.value, ...found.others] : [found.value];
    const faults =
      all
        .map(withPlainNumbers)
        .map(check)
        .toSorted((a, b) => a.length - b.length)[0] ?? [];
    return verdict(faults.length === 0, options.not, faults.length === 0 ? "it fits the schema" : faults.join("; "));
  };
}

function pathGrade(options: PathOptions): (answer: Answer) => Score {
  const read = jsonReader(options);
  const path = compilePath(options.path);
  const test = valueTest(options);
  return (answer) => {
    const asked = test(answer);
    if ("unscored" in asked) return asked;
    const { holds, wanted } = asked;
    const json = read(answer);
    if ("missing" in json) return verdict(false, options.not, json.missing);
    const values = path.values(json.value);
    if (values.length === 0) return verdict(false, options.not, `${options.path} leads nowhere`);
    const holding = values.filter(holds);
    const pass = options.every ? holding.length === values.length : holding.length > 0;
    const shown = holding.length > 0 && pass ? holding : values.filter((value) => !holds(value));
    return verdict(
      pass,
      options.not,
      `${options.path} ${pass ? "has" : "should have"} ${wanted}: ${quote(shownValues(shown))}`,
    );
  };
}

/** The test of a value, with the templates filled for a case; what is blank then is not asked. */
function valueTest(
  options: PathOptions,
): (answer: Answer) => { holds: (value: JsonValue) => boolean; wanted: string } | Unscored {
  const equals = filled(options.equals);
  const contains =
    notBlank(String(options.contains)) === nothingWanted ? () => nothingWanted : filled(options.contains);
  const bounds = boundsText(options, false);
  return (answer) => {
    const both = [equals?.(answer), contains?.(answer)];
    const lacks = both.filter((each) => each !== undefined && "unscored" in each);
    const fault = lacks.find((each) => !isBesideThePoint(each));
    if (fault !== undefined) return fault;
    const [same, part] = both.map((each) => (each === undefined || "unscored" in each ? undefined : each));
    const [lack] = lacks;
    if (lack !== undefined && same === undefined && part === undefined && bounds === "") return lack;
    const holds = (value: JsonValue): boolean =>
      (same === undefined || isEqual(value, same)) &&
      (part === undefined || hasPart(value, part)) &&
      isWithin(value, options);
    const wanted = [
      ...(same === undefined ? [] : [shownValues([same.value])]),
      ...(part === undefined ? [] : [`a part ${shownValues([part.value])}`]),
      ...(bounds === "" ? [] : [bounds]),
    ];
    return { holds, wanted: wanted.length === 0 ? "a value" : wanted.join(" and ") };
  };
}

/** A wanted value; a text that a template made may stand for a value of another type. */
interface Filled {
  value: JsonValue;
  fromTemplate: boolean;
}

function filled(value: JsonValue | undefined): ((answer: Answer) => Filled | Unscored) | null {
  if (value === undefined) return null;
  if (typeof value !== "string" || !isTemplate(value)) return () => ({ value, fromTemplate: false });
  const fill = templateText(value);
  return (answer) => {
    const text = notBlank(fill(answer));
    return typeof text === "string" ? { value: text, fromTemplate: true } : text;
  };
}

function isEqual(value: JsonValue, { value: wanted, fromTemplate }: Filled): boolean {
  if (canonicalJson(value) === canonicalJson(wanted)) return true;
  if (typeof wanted !== "string") return false;
  if (typeof value === "string") return normalise(value) === normalise(wanted);
  const parsed = fromTemplate ? parseExactJson(wanted) : undefined;
  return parsed !== undefined && canonicalJson(parsed) === canonicalJson(value);
}

function hasPart(value: JsonValue, part: Filled): boolean {
  if (Array.isArray(value)) return value.some((each) => isEqual(each, part));
  return normalise(memberText(value) ?? "").includes(normalise(memberText(part.value) ?? ""));
}

function isWithin(value: JsonValue, bounds: PathOptions): boolean {
  if (bounds.min === undefined && bounds.max === undefined) return true;
  const numbers = typeof value === "string" ? numbersIn(value) : [];
  const numeral = numeralOf(value);
  const number = numeral !== null ? Number(numeral) : numbers.length === 1 ? numbers[0]?.value : undefined;
  return number !== undefined && within(number, { min: bounds.min, max: bounds.max }, false) === true;
}

function shownValues(values: readonly JsonValue[]): string {
  return values
    .slice(0, 5)
    .map((value) => (typeof value === "string" ? value : canonicalJson(value)))
    .join(", ");
}
