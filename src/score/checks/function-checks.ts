import { z } from "zod";
import { canonicalJson, isJsonObject, type JsonValue } from "../../lib/json.ts";
import { numeralOf } from "../../lib/lost-digits.ts";
import { foldCase } from "../../text/fold.ts";
import { parseExactJson } from "../../text/json-in-text.ts";
import { normalise } from "../../text/normalise.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { areNear } from "./amounts.ts";
import type { Answer, Score, Unscored } from "../contract/scorer.ts";
import { loadLiquid, notBlank, nothingExpected, templateText, valuesKey, expectedTexts } from "../contract/expected.ts";

const levels = ["trace", "debug", "log", "info", "warn", "error"] as const;
type Level = (typeof levels)[number];

const levelKey = z.enum(levels);

const returnKeys = {
  value: z
    .json()
    .optional()
    .describe(
      'The value that should be returned: any JSON, or a template such as "{{ row.total }}". Default: the case\'s expected answer, read as JSON where it is.',
    ),
  tolerance: z.number().min(0).default(0).describe("How far numbers in it may be off. Default: 0."),
  not: notKey,
};

const logKeys = {
  value: valuesKey.describe("A text or a list of which one is enough; or templates."),
  level: levelKey.optional().describe("Look only at entries of this level. Default: all."),
  ignore_case: z.boolean().default(false).describe("Small and capital letters are alike. Default: false."),
  not: notKey,
};

/** Scorers of what a function returned, threw and logged. */
export const functionScorers = [
  defineScorer({
    type: "return-value",
    family: "function",
    about: "The function returned this value; the order of members makes no difference.",
    keys: returnKeys,
    needsExpected: ({ value }) => value === undefined,
    examples: [
      {
        about: "a number in a cell",
        scorer: {},
        expected: "12.5",
        answer: { return_value: 12.5 },
        with: { endpoint: "functions" },
        score: "passes",
      },
      {
        about: "an object",
        scorer: { value: { a: 1, b: [2] } },
        answer: { return_value: { b: [2], a: 1 } },
        with: { endpoint: "functions" },
        score: "passes",
      },
      {
        about: "numbers that are nearly right",
        scorer: { value: [0.3], tolerance: 0.001 },
        answer: { return_value: [0.30000000000000004] },
        with: { endpoint: "functions" },
        score: "passes",
      },
      {
        about: "null is a value too",
        scorer: { value: null },
        answer: { return_value: 0 },
        with: { endpoint: "functions" },
        score: "fails",
      },
    ],
    prepare: async ({ value }) => {
      if (typeof value === "string" && isTemplate(value)) await loadLiquid();
    },
    grade: returnGrade,
  }),
  defineScorer({
    type: "no-function-error",
    family: "function",
    about: "The function did not throw and reported no error in what it returned.",
    keys: {
      warnings: z
        .enum(["allow", "fail"])
        .default("allow")
        .describe("What an error text beside a valid return value is. Default: allow."),
    },
    examples: [
      {
        about: "it went well",
        scorer: {},
        answer: { return_value: 1, error: "" },
        with: { endpoint: "functions" },
        score: "passes",
      },
      {
        about: "it threw",
        scorer: {},
        answer: { return_value: null, error: "TypeError: x" },
        with: { endpoint: "functions", answer: "function-error" },
        score: "fails",
      },
      {
        about: "a warning",
        scorer: { warnings: "fail" },
        answer: { return_value: 1, error: "deprecated" },
        with: { endpoint: "functions", answer: "warning" },
        score: "fails",
      },
    ],
    grade:
      ({ warnings }) =>
      (answer) =>
        functionError(answer, warnings === "fail"),
  }),
  defineScorer({
    type: "logs-contain",
    family: "function",
    about: "An entry of the function's log contains the text; with not: none does.",
    keys: logKeys,
    examples: [
      {
        about: "an entry",
        scorer: { value: "rate found" },
        answer: { return_value: 1, logs: [{ level: "log", message: "rate found: 2" }] },
        score: "passes",
      },
      {
        about: "what must not be there",
        scorer: { value: "password", not: true },
        answer: { return_value: 1, logs: [] },
        score: "passes",
      },
      {
        about: "of another level",
        scorer: { value: "rate", level: "error" },
        answer: { logs: [{ level: "log", message: "rate" }] },
        score: "fails",
      },
    ],
    grade: logsGrade,
  }),
  defineScorer({
    type: "log-level",
    family: "function",
    about: `No entry of the function's log is graver than this level (${levels.join(" < ")}).`,
    keys: { max: levelKey.default("info").describe("The gravest level that is accepted. Default: info.") },
    examples: [
      { about: "a warning", scorer: {}, answer: { logs: [{ level: "warn", message: "old data" }] }, score: "fails" },
      {
        about: "is accepted here",
        scorer: { max: "warn" },
        answer: { logs: [{ level: "warn", message: "old data" }] },
        score: "passes",
      },
    ],
    grade:
      ({ max }) =>
      (answer) =>
        logLevel(answer, max),
  }),
];

function returnGrade({
  value,
  tolerance,
  not,
}: {
  value?: JsonValue | undefined;
  tolerance: number;
  not: boolean;
}): (answer: Answer) => Score {
  const wantedOf = wantedValue(value);
  return (answer) => {
    const wanted = wantedOf(answer);
    if ("unscored" in wanted) return wanted;
    const returned = answer.record === null ? null : (answer.record.output["return_value"] ?? null);
    const holds = wanted.values.some((each) => isLike(returned, each, tolerance));
    const found = quote(canonicalJson(returned));
    return verdict(
      holds,
      not,
      `the return value is ${found}${holds ? "" : `, and not ${quote(canonicalJson(wanted.values[0] ?? null))}`}`,
    );
  };
}

/** The values that are as good as what was expected: a text that is JSON may be meant as text or as its value. */
function wantedValue(value: JsonValue | undefined): (answer: Answer) => { values: JsonValue[] } | Unscored {
  if (value === undefined) {
    return ({ case: { expected } }) => (expected === null ? nothingExpected : readings(expected));
  }
  if (typeof value !== "string" || !isTemplate(value)) return () => ({ values: [value] });
  const fill = templateText(value);
  return (answer) => {
    const text = notBlank(fill(answer));
    return typeof text === "string" ? readings(text) : text;
  };
}

function readings(text: string): { values: JsonValue[] } {
  const parsed = parseExactJson(text);
  return { values: parsed === undefined ? [text] : [parsed, text] };
}

function isLike(found: JsonValue, wanted: JsonValue, tolerance: number): boolean {
  const [one, other] = [numeralOf(found), numeralOf(wanted)];
  if (one !== null && other !== null) {
    if (typeof found === "number" && typeof wanted === "number") return Math.abs(found - wanted) <= tolerance;
    return areNear(one, other, tolerance);
  }
  if (typeof found === "string" && typeof wanted === "string") return normalise(found) === normalise(wanted);
  if (Array.isArray(found) && Array.isArray(wanted)) {
    return found.length === wanted.length && found.every((each, i) => isLike(each, wanted[i] ?? null, tolerance));
  }
  if (isJsonObject(found) && isJsonObject(wanted)) {
    const names = Object.keys(found);
    return (
      names.length === Object.keys(wanted).length &&
      names.every((name) => Object.hasOwn(wanted, name) && isLike(found[name] ?? null, wanted[name] ?? null, tolerance))
    );
  }
  return found === wanted;
}

function functionError({ answer, record }: Answer, warningsFail: boolean): Score {
  const error = record?.output["error"] ?? null;
  const shown = typeof error === "string" ? error : canonicalJson(error);
  if (answer === "function-error") return verdict(false, false, `the function reported an error: ${quote(shown)}`);
  if (answer === "warning" && warningsFail) return verdict(false, false, `the function warned: ${quote(shown)}`);
  return verdict(true, false, "the function reported no error");
}

function logsGrade(options: z.output<z.ZodObject<typeof logKeys>>): (answer: Answer) => Score {
  const wanted = expectedTexts(options.value);
  const form = options.ignore_case ? (text: string): string => foldCase(normalise(text)) : normalise;
  return (answer) => {
    const values = wanted(answer);
    if (!Array.isArray(values)) return values;
    const entries = logsOf(answer).filter(({ level }) => options.level === undefined || level === options.level);
    const forms = values.map(form);
    const found = entries.find(({ message }) => forms.some((each) => form(message).includes(each)));
    const count = `${entries.length} log ${entries.length === 1 ? "entry" : "entries"}`;
    const reason =
      found === undefined
        ? `none of ${count} contains ${values.map(quote).join(" or ")}`
        : `the log has ${quote(found.message)}`;
    return verdict(found !== undefined, options.not, reason);
  };
}

function logLevel(answer: Answer, max: Level): Score {
  const grave = logsOf(answer).find(({ level }) => levels.indexOf(level) > levels.indexOf(max));
  if (grave === undefined) return verdict(true, false, `no log entry is graver than ${max}`);
  return verdict(false, false, `the log has a ${grave.level}: ${quote(grave.message)}`);
}

function logsOf({ record }: Answer): { level: Level; message: string }[] {
  return [record?.output["logs"] ?? []].flat().flatMap((entry) => {
    if (!isJsonObject(entry)) return [];
    const level = levels.find((each) => each === entry["level"]) ?? "log";
    const { message } = entry;
    return [{ level, message: typeof message === "string" ? message : canonicalJson(message ?? null) }];
  });
}
