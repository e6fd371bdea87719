import type { JsonObject } from "../../lib/json.ts";
import type { Random } from "../../lib/random.ts";
import type { BotRequest } from "./bot-request.ts";
import type { JudgeSettings } from "./bot-settings.ts";
import { criterionIn, type JudgedCase, markBy } from "./judge-criteria.ts";
import { stopWords } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

/** The labels under which a prompt may show what is to be judged, first match wins. */
const labels: [part: keyof Parts, label: RegExp][] = [
  ["first", /(?:answer|response|reply|candidate|assistant)[ _]*(?:a|1|one)/i],
  ["second", /(?:answer|response|reply|candidate|assistant)[ _]*(?:b|2|two)/i],
  ["expected", /(?:expected|reference|golden|ideal|correct)(?:[ _]*(?:answer|response|reply))?/i],
  ["question", /question|input|prompt/i],
  ["first", /(?:actual|given)?[ _]*(?:answer|response|reply|output|submission)/i],
];

/** A line that begins a labelled part: `## Label`, or `Label:`, `<label>`, `[Label]`, `**Label**` with text after it. */
const heading =
  /^[ \t]*(?:#{1,6}[ \t]+([\p{L}_ \d]+?)[ \t]*:?[ \t]*$|[<[*]*[ \t]*([\p{L}_]+(?: ?[\p{L}\d_]+){0,2})[ \t]*(?:[>\]*]+:?|:\**))/gmu;

interface Parts extends JudgedCase {
  /** The text that the judge was told to judge by; empty: none. */
  rubric: string;
  first: string;
  second: string | null;
}

const nonsense = [
  "I cannot decide that.",
  '{"score": high',
  "Both have their merits, it depends on the reader.",
  "¯\\_(ツ)_/¯",
];

/**
 * Grades one answer with `{"score","pass","reason"}` (a score of 0 to 1, or the scale or verdict that the prompt asks for), or two with the letter of the better one (C for a tie; as
 * `{"verdict","reason"}` when the prompt asks for JSON): by a rubric that it understands, else by the words they share with what is
 * expected. The parts are read from variables (`expected`, `answer`, `answer_a`, `answer_b`, `question`, `sources`, `rubric`), else from
 * parts of the prompt: those between tags with the mark that the prompt names, or labelled ones.
 */
export function judgeAnswer(request: BotRequest, settings: JudgeSettings, random: Random): string {
  const [odd, which, bias] = [random(), random(), random()];
  const leaning = { long: random(), tongue: random(), own: random(), obeys: random() };
  const isTurned = random() < settings.noise;
  if (odd < settings.nonsense_rate) return nonsense[Math.floor(which * nonsense.length)] ?? "";
  const parts = partsOf(request.variables, request.prompt);
  const mark = (answer: string): number => settings.constant ?? biasedMark(answer, parts, { settings, leaning });
  const first = mark(parts.first);
  if (parts.second === null) {
    const score = isTurned ? (first >= settings.pass_score ? 0 : 1) : first;
    const percent = `${Math.round(score * 100)} %`;
    const reason =
      criterionIn(parts.rubric) === null
        ? `The answer has ${percent} of the words that were expected.`
        : `By the rubric the answer is worth ${percent}.`;
    return JSON.stringify({ ...asked(score, request.prompt), pass: score >= settings.pass_score, reason });
  }
  const second = mark(parts.second);
  const longer = leaning.long < settings.length_bias ? longerOf(parts.first, parts.second) : null;
  const honest = Math.abs(first - second) < 0.02 ? "C" : first > second ? "A" : "B";
  const preferred = bias < settings.position_bias ? "A" : (longer ?? honest);
  const verdict = isTurned ? otherSide[preferred] : preferred;
  if (!/json/i.test(request.prompt)) return verdict;
  return JSON.stringify({ verdict, reason: `A has ${first} and B has ${second} of the words that were expected.` });
}

const otherSide = { A: "B", B: "A", C: "C" } as const;

/** Words more, as a share, from which on an answer counts as long. */
const muchLonger = 0.25;

/** Words that an answer has where nothing is expected. */
const usualWords = 20;

/** Beats every honest mark, so that of two answers the favoured one wins. */
const favoured = 1.1;

interface Leanings {
  settings: JudgeSettings;
  /** A number from 0 to 1 for each bias, drawn once for a verdict. */
  leaning: Record<"long" | "own" | "obeys", number>;
}

/** The mark of one answer, with the biases of the judge. */
function biasedMark(answer: string, parts: Parts, { settings, leaning }: Leanings): number {
  const isPair = parts.second !== null;
  const most = isPair ? favoured : 1;
  const words = wordsOf(answer);
  const { own_family: own } = settings;
  if (leaning.obeys < settings.obedience && /\bfull marks\b/i.test(answer)) return most;
  if (own !== null && leaning.own < own.share && [own.says].flat().some((says) => answer.includes(says))) return most;
  const expected = parts.expected === "" ? usualWords : wordsOf(parts.expected).length;
  if (!isPair && leaning.long < settings.length_bias && words.length > (1 + muchLonger) * expected) return 1;
  return grade(answer, parts);
}

/** The side whose answer is much longer; null: neither is. */
function longerOf(first: string, second: string): "A" | "B" | null {
  const [a, b] = [wordsOf(first).length, wordsOf(second).length];
  if (a > (1 + muchLonger) * b) return "A";
  return b > (1 + muchLonger) * a ? "B" : null;
}

/** A share from 0 to 1 in the form that the prompt asks for, as `"verdict": "<good | bad>"`, best first, or `"score": <a number from 1 to 5>`. */
function asked(share: number, prompt: string): JsonObject {
  const verdicts = /"verdict": ?"<([^<>]+)>"/.exec(prompt)?.[1]?.split("|") ?? [];
  const verdict = verdicts[Math.min(verdicts.length - 1, Math.floor((1 - share) * verdicts.length))];
  if (verdict !== undefined) return { verdict: verdict.trim() };
  const [, min = "0", max = "1"] = /"score": ?<a number from (-?[\d.]+) to (-?[\d.]+)>/.exec(prompt) ?? [];
  return { score: Math.round((Number(min) + share * (Number(max) - Number(min))) * 100) / 100 };
}

function labelledParts(prompt: string): Partial<Parts> {
  const parts: Partial<Parts> = {};
  const headings = [...prompt.matchAll(heading)];
  headings.forEach((match, index) => {
    const label = labels.find(([, pattern]) =>
      new RegExp(`^(?:the )?(?:${pattern.source})$`, "i").test(match[1] ?? match[2] ?? ""),
    );
    const text = prompt.slice(match.index + match[0].length, headings[index + 1]?.index ?? prompt.length);
    if (label !== undefined && parts[label[0]] === undefined)
      parts[label[0]] = text.replace(/<\/[\w ]+>\s*$/, "").trim();
  });
  return parts;
}

function partsOf(variables: JsonObject, prompt: string): Parts {
  const parts: Partial<Parts> = markedParts(prompt) ?? labelledParts(prompt);
  const given = (name: string): string | null => {
    const value = variables[name];
    return typeof value === "string" ? value : null;
  };
  return {
    question: given("question") ?? parts.question ?? "",
    expected: given("expected") ?? parts.expected ?? "",
    sources: given("sources") ?? parts.sources ?? "",
    rubric: given("rubric") ?? parts.rubric ?? "",
    first: given("answer_a") ?? given("answer") ?? parts.first ?? "",
    second: given("answer_b") ?? parts.second ?? null,
  };
}

/** The parts that stand between tags with the mark that the prompt names; nothing that is written between them makes others. */
function markedParts(prompt: string): Parts | null {
  const mark = /tags that end in ([0-9a-f]{4,64}) was written by others/.exec(prompt)?.[1];
  if (mark === undefined) return null;
  const between = (tag: string): string | null => {
    const [opening, closing] = [`<${tag}-${mark}>\n`, `\n</${tag}-${mark}>`];
    const start = prompt.indexOf(opening);
    const end = prompt.indexOf(closing, start);
    if (start === -1 || end === -1) return null;
    const text = prompt.slice(start + opening.length, end);
    return text === "(empty)" ? "" : text;
  };
  const before = prompt.slice(0, prompt.indexOf(`-${mark}>`));
  return {
    question: between("question") ?? "",
    expected: between("expected") ?? "",
    sources: between("sources") ?? "",
    rubric: /\nJudge by this:\n([\s\S]*?)\n\n<\w+$/.exec(before)?.[1] ?? "",
    first: between("answer") ?? between("answer_a") ?? "",
    second: between("answer_b"),
  };
}

/** The mark by the rubric; without one that is understood, the share of the expected words that an answer has, or of those of the question. */
function grade(answer: string, parts: Parts): number {
  const criterion = criterionIn(parts.rubric);
  if (criterion !== null) return Math.round(markBy(criterion, answer, parts) * 100) / 100;
  const { expected, question } = parts;
  const common = stopWords(null);
  const words = wordsOf(expected === "" ? question : expected);
  const telling = words.filter((word) => !common.has(word));
  const wanted = telling.length > 0 ? telling : words;
  if (wanted.length === 0) return answer.trim() === "" ? 0 : 1;
  const said = new Set(wordsOf(answer));
  return Math.round((wanted.filter((word) => said.has(word)).length / wanted.length) * 100) / 100;
}
