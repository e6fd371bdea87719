import { z } from "zod";
import type { JsonValue } from "../../lib/json.ts";
import { memberText } from "../../text/value-text.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { pathKey, valueReader } from "../contract/text-selection.ts";
import type { Answer, Score } from "../contract/scorer.ts";

/** Scorers of what became of a request. */
export const outcomeScorers = [
  defineScorer({
    type: "no-error",
    family: "service",
    about:
      "The request brought an answer: no failed run, no time-out, and no error of a function. It also grades jobs without an answer, which fail.",
    gradesFailures: true,
    keys: {},
    examples: [
      { about: "an answer", scorer: {}, answer: "Hello", score: "passes" },
      {
        about: "a failed run",
        scorer: {},
        answer: {},
        with: { outcome: "run-failed", answer: null, record: null, error: "No such model" },
        score: "fails",
      },
      {
        about: "a function that threw",
        scorer: {},
        answer: { return_value: null, error: "TypeError" },
        with: { endpoint: "functions", answer: "function-error" },
        score: "fails",
      },
    ],
    grade: () => noError,
  }),
  defineScorer({
    type: "not-empty",
    family: "service",
    about: "The answer has something in it: a reply of any kind, or a return value; with on, that member does.",
    keys: { on: pathKey.optional(), not: notKey },
    examples: [
      { about: "a reply", scorer: {}, answer: "Hello", score: "passes" },
      { about: "white space alone is nothing", scorer: { on: "output_text" }, answer: " \n", score: "fails" },
      { about: "no audio", scorer: { on: "output_audio" }, answer: "Hello", score: "fails" },
    ],
    grade: notEmpty,
  }),
  defineScorer({
    type: "not-truncated",
    family: "service",
    about: "The answer was not cut off: none of its replies ended for the reason length.",
    keys: {},
    examples: [
      {
        about: "a whole one",
        scorer: {},
        answer: { output_text: ["Hello"], finish_reason: ["stop"] },
        score: "passes",
      },
      {
        about: "one that was cut",
        scorer: {},
        answer: { output_text: ["Hel"], finish_reason: ["length"] },
        score: "fails",
      },
    ],
    grade: () => notTruncated,
  }),
  defineScorer({
    type: "finish-reason",
    family: "service",
    about: "The first reply ended for this reason.",
    keys: {
      value: z
        .union([z.string(), z.array(z.string()).min(1)])
        .default("stop")
        .describe("The reason, or a list of which one is enough. Default: stop."),
      not: notKey,
    },
    examples: [
      { about: "as a rule", scorer: {}, answer: { finish_reason: ["stop"] }, score: "passes" },
      {
        about: "another one",
        scorer: { value: ["stop", "tool_calls"] },
        answer: { finish_reason: ["length"] },
        score: "fails",
      },
    ],
    grade: finishReason,
  }),
];

function noError({ outcome, answer, error }: Answer): Score {
  if (outcome !== "ok")
    return verdict(false, false, `the request ended as ${outcome}${error === null ? "" : `: ${quote(error)}`}`);
  if (answer === "function-error") return verdict(false, false, "the function reported an error");
  return verdict(true, false, "the request brought an answer");
}

function notEmpty({ on, not }: { on?: string | undefined; not: boolean }): (answer: Answer) => Score {
  if (on === undefined) {
    return ({ answer }) =>
      verdict(answer !== "empty", not, answer === "empty" ? "the answer is empty" : "there is an answer");
  }
  const read = valueReader(on);
  return (answer) => {
    const isEmpty = (memberText(read(answer)) ?? "").trim() === "";
    return verdict(!isEmpty, not, isEmpty ? `${on} is empty` : `${on} has a value`);
  };
}

function notTruncated({ answer, record }: Answer): Score {
  const cut = answer === "truncated" || listOf(record?.output["finish_reason"]).includes("length");
  return verdict(!cut, false, cut ? "the answer was cut: its finish_reason has length" : "the answer was not cut");
}

function finishReason({ value, not }: { value: string | string[]; not: boolean }): (answer: Answer) => Score {
  const wanted = [value].flat();
  return ({ record }) => {
    const [found] = listOf(record?.output["finish_reason"]);
    if (found === undefined) return verdict(false, not, "there is no finish_reason");
    return verdict(
      wanted.includes(found),
      not,
      `finish_reason is ${quote(found)}, and ${wanted.join(" or ")} was asked for`,
    );
  };
}

function listOf(value: JsonValue | undefined): string[] {
  return [value ?? []].flat().filter((each) => typeof each === "string");
}
