import { z } from "zod";
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { parseExactJson } from "../../text/json-in-text.ts";
import { defineScorer } from "../contract/define.ts";
import { overlap } from "../../text/measures.ts";
import { boundsGrade, thresholdKeys, type ScoreBounds } from "../contract/bounds.ts";
import { notKey, verdict } from "../contract/finding.ts";
import { boundedMetric, measureKeys } from "./measure.ts";
import { pathKey, valueReader } from "../contract/text-selection.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import { valuesKey, expectedTexts } from "../contract/expected.ts";

const keys = {
  on: pathKey
    .default("called_functions")
    .describe("Where the calls are: a list of names or of {name, arguments}. Default: called_functions."),
  value: valuesKey
    .optional()
    .describe("Name of a function or a list of names, each also a template. Default: the case's expected answer."),
  match: z
    .enum(["all", "any", "only", "in-order", "in-order-among-others", "none"])
    .default("all")
    .describe(
      "all: each of them was called; any: one of them; only: each of them and no other; in-order: these calls in this order and no other; in-order-among-others: with other calls between them; none: none of them. Default: all.",
    ),
  arguments: z
    .record(z.string(), z.json())
    .optional()
    .describe("Members that the arguments of one such call must have. Default: any arguments."),
  not: notKey,
};
type Options = z.output<z.ZodObject<typeof keys>>;

interface Call {
  name: string;
  arguments: JsonObject;
}

export const calledFunctionScorers = [
  defineScorer({
    type: "called-functions",
    family: "service",
    about: "The bot called these functions on the way to its answer.",
    keys,
    examples: [
      {
        about: "one of them",
        scorer: { value: "search" },
        answer: { called_functions: ["search", "mail"] },
        score: "passes",
      },
      {
        about: "and no other",
        scorer: { value: "search", match: "only" },
        answer: { called_functions: ["search", "mail"] },
        score: "fails",
      },
      {
        about: "with these arguments",
        scorer: { value: "search", arguments: { city: "Saltmere" } },
        answer: { called_functions: [{ name: "search", arguments: '{"city": "Saltmere", "limit": 3}' }] },
        score: "passes",
      },
      { about: "none was called", scorer: { value: "mail", match: "none" }, answer: "Hello", score: "passes" },
    ],
    grade: callsGrade,
  }),
  defineScorer({
    type: "called-functions-f1",
    family: "service",
    about:
      "F1 of the functions that the bot called and those that it should have called, each counted once, in any order; 0 to 1.",
    keys: { on: keys.on, value: keys.value, ...thresholdKeys, not: measureKeys.not },
    examples: [
      {
        about: "one too many",
        scorer: { value: ["search", "book"], threshold: 1 },
        answer: { called_functions: ["search", "book", "mail"] },
        score: { value: 0.8, pass: false },
      },
      {
        about: "one of two",
        scorer: { value: ["search", "book"], threshold: 0.5 },
        answer: { called_functions: [{ name: "search", arguments: "{}" }] },
        score: { value: 2 / 3, pass: true },
      },
    ],
    metric: boundedMetric(0, 1),
    grade: calledF1,
  }),
];

function calledF1(options: Pick<Options, "on" | "value" | "not"> & ScoreBounds): (answer: Answer) => Score {
  const read = valueReader(options.on);
  const wanted = expectedTexts(options.value);
  const grade = boundsGrade(options);
  return (answer) => {
    const names = wanted(answer);
    if (!Array.isArray(names)) return names;
    const called = new Set(callsOf(read(answer)).map(({ name }) => name));
    const meant = new Set(names);
    const shared = [...meant].filter((name) => called.has(name)).length;
    const { f1 } = overlap(shared, called.size, meant.size);
    return grade(f1, `${calledText([...called])}; wanted ${names.join(", ")}`);
  };
}

const calledText = (names: readonly string[]): string =>
  names.length === 0 ? "no function was called" : `called: ${names.slice(0, 10).join(", ")}`;

function callsGrade(options: Options): (answer: Answer) => Score {
  const read = valueReader(options.on);
  const wanted = expectedTexts(options.value);
  return (answer) => {
    const names = wanted(answer);
    if (!Array.isArray(names)) return names;
    const calls = callsOf(read(answer));
    const called = calls.map(({ name }) => name);
    const holds = matches(called, names, options.match) && hasArguments(calls, names, options.arguments);
    const how = options.arguments === undefined ? "" : ` with ${canonicalJson(options.arguments)}`;
    return verdict(holds, options.not, `${calledText(called)}; wanted ${options.match} of ${names.join(", ")}${how}`);
  };
}

function matches(called: readonly string[], names: readonly string[], match: Options["match"]): boolean {
  switch (match) {
    case "all":
      return names.every((name) => called.includes(name));
    case "any":
      return names.some((name) => called.includes(name));
    case "only":
      return names.every((name) => called.includes(name)) && called.every((name) => names.includes(name));
    case "in-order":
      return called.length === names.length && called.every((name, i) => name === names[i]);
    case "in-order-among-others":
      return inOrder(called, names);
    case "none":
      return !names.some((name) => called.includes(name));
  }
}

function inOrder(called: readonly string[], names: readonly string[]): boolean {
  let next = 0;
  for (const name of called) if (name === names[next]) next++;
  return next === names.length;
}

function hasArguments(calls: readonly Call[], names: readonly string[], wanted: JsonObject | undefined): boolean {
  if (wanted === undefined) return true;
  return calls.some((call) => names.includes(call.name) && isPart(wanted, call.arguments));
}

/** Every member of the one is in the other; members that are objects need not be whole either. */
function isPart(wanted: JsonObject, whole: JsonObject): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const found = Object.hasOwn(whole, name) ? whole[name] : undefined;
    if (isJsonObject(value) && isJsonObject(found)) return isPart(value, found);
    return found !== undefined && canonicalJson(found) === canonicalJson(value);
  });
}

/** Calls as services write them: a name, `{name, arguments}`, or `{function: {name, arguments}}` with arguments as JSON text. */
function callsOf(value: JsonValue | undefined): Call[] {
  return [value ?? []].flat().flatMap((each) => {
    const call = isJsonObject(each) && isJsonObject(each["function"]) ? each["function"] : each;
    if (typeof call === "string") return [{ name: call, arguments: {} }];
    if (!isJsonObject(call)) return [];
    const name = call["name"] ?? call["function"] ?? call["title"];
    return typeof name === "string" ? [{ name, arguments: argumentsOf(call) }] : [];
  });
}

function argumentsOf(call: JsonObject): JsonObject {
  const written = call["arguments"] ?? call["args"] ?? call["parameters"] ?? call["input"] ?? call["inputs"];
  const parsed = typeof written === "string" ? parseExactJson(written) : written;
  return isJsonObject(parsed) ? parsed : {};
}
