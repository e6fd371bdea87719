import { z } from "zod";
import { endpointOf } from "../../api/endpoints.ts";
import type { JsonValue } from "../../lib/json.ts";
import { memberText } from "../../text/value-text.ts";
import { cleanAnswer } from "../../text/clean.ts";
import { parseExactJson } from "../../text/json-in-text.ts";
import { compilePath } from "../../text/json-path.ts";
import type { Answer } from "./scorer.ts";

/** `on`: a path into `output`. */
export const pathKey = z
  .string()
  .superRefine((text, context) => {
    const fault = pathFault(text);
    if (fault !== null) context.addIssue({ code: "custom", message: fault });
  })
  .describe(
    "What is looked at: a path into output, such as output_text[0], raw_output_text, return_value.total or references[*].url. Default: the answer (the replies joined by a blank line; of a function its return value).",
  );

/** The keys of scorers that look at a text. */
export const selectionKeys = {
  on: pathKey.optional(),
  member: pathKey
    .optional()
    .describe(
      "Reads that text as JSON and looks at this member of it, such as city or items[0].name. A text without it is none.",
    ),
  clean: z
    .boolean()
    .default(false)
    .describe(
      "First take away what is around an answer: citation marks, <think> blocks, buttons, the transcript of what was heard. Default: false.",
    ),
};

/** The same for measures of a text, which look at the cleaned one. */
export const measureSelectionKeys = {
  ...selectionKeys,
  clean: z
    .boolean()
    .default(true)
    .describe(
      "First take away what is around an answer: citation marks, <think> blocks, buttons, the transcript of what was heard. Default: true.",
    ),
};

/** Reads a text of an answer; null where there is none. */
export function textReader({
  on,
  member,
  clean,
}: {
  on?: string | undefined;
  member?: string | undefined;
  clean: boolean;
}): (answer: Answer) => string | null {
  const whole = on === undefined ? answerText : pathText(on);
  const read = member === undefined ? whole : memberReader(whole, member);
  return clean ? cleaned(read) : read;
}

/** Reads a value of an answer; undefined where there is none. A path that can lead to several values gives their list. */
export function valueReader(on: string): (answer: Answer) => JsonValue | undefined {
  const path = compilePath(on);
  return ({ record }) => {
    const found = record === null ? [] : path.values(record.output);
    return path.singular ? found[0] : found;
  };
}

/** The selected text, in words for a reason. */
export function nameOf(on: string | undefined): string {
  return on === undefined ? "the answer" : on;
}

/** The fault of a path, for a message; null when it is sound. */
export function pathFault(text: string): string | null {
  try {
    compilePath(text);
    return null;
  } catch (cause) {
    return `${cause instanceof Error ? cause.message : String(cause)}: it must be a path such as output_text[0]`;
  }
}

function answerText({ endpoint, record }: Answer): string | null {
  return record === null ? null : endpointOf(endpoint).textOf(record.output);
}

function pathText(on: string): (answer: Answer) => string | null {
  const read = valueReader(on);
  return (answer) => memberText(read(answer));
}

function memberReader(read: (answer: Answer) => string | null, member: string): (answer: Answer) => string | null {
  const path = compilePath(member);
  return (answer) => {
    const text = read(answer);
    const value = text === null ? undefined : parseExactJson(text);
    if (value === undefined) return null;
    const found = path.values(value);
    return memberText(path.singular ? found[0] : found);
  };
}

/** Several scorers look at one answer after the other: it is cleaned once. */
function cleaned(read: (answer: Answer) => string | null): (answer: Answer) => string | null {
  return (answer) => {
    const text = read(answer);
    if (text === null || text === last.text) return text === null ? null : last.cleaned;
    last.cleaned = cleanAnswer(text);
    last.text = text;
    return last.cleaned;
  };
}

const last = { text: "", cleaned: "" };
