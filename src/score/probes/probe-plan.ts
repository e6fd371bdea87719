import { endpointOf } from "../../api/endpoints.ts";
import { languageCode, languageOf } from "../../text/language.ts";
import { normalise } from "../../text/normalise.ts";
import type { Answer } from "../contract/scorer.ts";
import { saidLanguage } from "../checks/case-language.ts";
import { padded } from "./padding.ts";
import { type WrongKind, wrongAnswer, wrongKinds } from "./wrong-answers.ts";

/** The things that a judge can be tried for, in the order in which they are told. */
export const probeNames = ["order", "length", "consistency", "wrongs"] as const;
export type ProbeName = (typeof probeNames)[number];

/** An answer that a judge is tried with. */
export interface ProbeSource {
  /** A judge of single answers is asked about this one. */
  answer: Answer;
  /** The baseline's answer to the same case; null for a judge of single answers. */
  other: Answer | null;
}

/** A question that a judge is asked to try it: about an answer as it is, or a made one. */
export interface JudgeProbe {
  /**
   * `plain`: the answer as it is; of a judge of two, beside the baseline's. The others are made of it; a judge of two sees them beside the
   * answer as it is.
   */
  kind: "plain" | "padded" | "wrong";
  /** Place of the answer among the sources. */
  unit: number;
  /** The kind of a wrong answer; empty for the others. */
  variant: string;
  /** From 0. */
  repeat: number;
  answer: Answer;
  other: Answer | null;
}

export interface ProbeOptions {
  probes: readonly ProbeName[];
  /** Times that an answer is asked about, to see whether the judge agrees with itself. */
  repeats: number;
}

/** Answers that are asked about several times, and wrong answers of each kind, at the most: some of the right ones have the lowest mark. */
const mostRepeated = 40;
const mostSpoilt = 60;

/** Everything that a judge is asked to try it, in the order in which it is asked. */
export function planProbes(sources: readonly ProbeSource[], options: ProbeOptions): JudgeProbe[] {
  const wants = (name: ProbeName): boolean => options.probes.includes(name);
  const isPair = sources.some(({ other }) => other !== null);
  const plain = (count: number, repeat: number): JudgeProbe[] =>
    sources
      .slice(0, count)
      .map(({ answer, other }, unit) => ({ kind: "plain", unit, variant: "", repeat, answer, other }));
  // Answers as they are show what the others are compared with.
  const wantsAll = wants(isPair ? "order" : "length") || (wants("wrongs") && !isPair);
  const probes = plain(wantsAll ? sources.length : wants("consistency") ? mostRepeated : 0, 0);
  if (wants("consistency")) {
    for (let repeat = 1; repeat < options.repeats; repeat++) probes.push(...plain(mostRepeated, repeat));
  }
  if (wants("length")) probes.push(...sources.flatMap(paddedProbe));
  if (wants("wrongs")) probes.push(...wrongKinds.flatMap((kind) => wrongProbes(sources, kind)));
  return probes;
}

function paddedProbe({ answer, other }: ProbeSource, unit: number): JudgeProbe[] {
  const text = answerText(answer);
  const longer = padded(text, languageOfAnswer(answer));
  if (longer === null) return [];
  const made = answerSaying(answer, longer);
  return [{ kind: "padded", unit, variant: "", repeat: 0, answer: made, other: other === null ? null : answer }];
}

function wrongProbes(sources: readonly ProbeSource[], variant: WrongKind): JudgeProbe[] {
  const probes: JudgeProbe[] = [];
  for (const [unit, { answer, other }] of sources.entries()) {
    if (probes.length === mostSpoilt) break;
    const text = wrongAnswer(variant, answerText(answer), answerToAnother(sources, unit));
    if (text === null || normalise(text) === normalise(answerText(answer))) continue;
    const made = answerSaying(answer, text);
    probes.push({ kind: "wrong", unit, variant, repeat: 0, answer: made, other: other === null ? null : answer });
  }
  return probes;
}

/** The next answer to a case that expects something else, if it says something else. */
function answerToAnother(sources: readonly ProbeSource[], unit: number): string | null {
  const own = sources[unit]?.answer;
  if (own === undefined) return null;
  for (let step = 1; step < sources.length; step++) {
    const next = sources[(unit + step) % sources.length]?.answer;
    if (next === undefined || answerText(next).trim() === "") continue;
    const isOther = next.case.expected === null || next.case.expected !== own.case.expected;
    if (isOther && normalise(answerText(next)) !== normalise(answerText(own))) return answerText(next);
  }
  return null;
}

/** The answer with another text, and all else that came with it; of an empty one nothing else, in which the text may stand once more. */
function answerSaying(answer: Answer, text: string): Answer {
  const { outputSaying } = endpointOf(answer.endpoint);
  const record = answer.record ?? { id: null, url: null, createdAt: null, output: {} };
  const rest = text === "" ? {} : record.output;
  return { ...answer, record: { ...record, output: { ...rest, ...outputSaying(text) } } };
}

/** The text of an answer; empty where it says nothing. */
export function answerText({ endpoint, record }: Answer): string {
  return record === null ? "" : (endpointOf(endpoint).textOf(record.output) ?? "");
}

/** The language that a case says it is in, or that its answer seems to be in; English where nothing tells. */
function languageOfAnswer(answer: Answer): string {
  return languageOf(answerText(answer)).language ?? languageCode(saidLanguage(answer)) ?? "en";
}
