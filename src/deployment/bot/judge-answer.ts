import type { JsonObject } from "../../lib/json.ts";
import type { Random } from "../../lib/random.ts";
import type { BotRequest } from "./bot-request.ts";
import type { JudgeSettings } from "./bot-settings.ts";
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

interface Parts {
  question: string;
  expected: string;
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
 * `{"verdict","reason"}` when the prompt asks for JSON), by the words they share with what is expected. The parts are
 * read from variables (`expected`, `answer`, `answer_a`, `answer_b`, `question`), else from labelled parts of the prompt.
 */
export function judgeAnswer(request: BotRequest, settings: JudgeSettings, random: Random): string {
  const [odd, which, bias] = [random(), random(), random()];
  if (odd < settings.nonsense_rate) return nonsense[Math.floor(which * nonsense.length)] ?? "";
  const parts = partsOf(request.variables, request.prompt);
  const first = grade(parts.first, parts);
  if (parts.second === null) {
    const reason = `The answer has ${Math.round(first * 100)} % of the words that were expected.`;
    return JSON.stringify({ ...asked(first, request.prompt), pass: first >= settings.pass_score, reason });
  }
  const second = grade(parts.second, parts);
  const honest = Math.abs(first - second) < 0.02 ? "C" : first > second ? "A" : "B";
  const verdict = bias < settings.position_bias ? "A" : honest;
  if (!/json/i.test(request.prompt)) return verdict;
  return JSON.stringify({ verdict, reason: `A has ${first} and B has ${second} of the words that were expected.` });
}

/** A share from 0 to 1 in the form that the prompt asks for, as `"verdict": "<good | bad>"`, best first, or `"score": <a number from 1 to 5>`. */
function asked(share: number, prompt: string): JsonObject {
  const verdicts = /"verdict": ?"<([^<>]+)>"/.exec(prompt)?.[1]?.split("|") ?? [];
  const verdict = verdicts[Math.min(verdicts.length - 1, Math.floor((1 - share) * verdicts.length))];
  if (verdict !== undefined) return { verdict: verdict.trim() };
  const [, min = "0", max = "1"] = /"score": ?<a number from (-?[\d.]+) to (-?[\d.]+)>/.exec(prompt) ?? [];
  return { score: Math.round((Number(min) + share * (Number(max) - Number(min))) * 100) / 100 };
}

function partsOf(variables: JsonObject, prompt: string): Parts {
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
  const given = (name: string): string | null => {
    const value = variables[name];
    return typeof value === "string" ? value : null;
  };
  return {
    question: given("question") ?? parts.question ?? "",
    expected: given("expected") ?? parts.expected ?? "",
    first: given("answer_a") ?? given("answer") ?? parts.first ?? "",
    second: given("answer_b") ?? parts.second ?? null,
  };
}

/** The share of the expected words that an answer has; without any, of the words of the question. */
function grade(answer: string, { expected, question }: Parts): number {
  const common = stopWords(null);
  const words = wordsOf(expected === "" ? question : expected);
  const telling = words.filter((word) => !common.has(word));
  const wanted = telling.length > 0 ? telling : words;
  if (wanted.length === 0) return answer.trim() === "" ? 0 : 1;
  const said = new Set(wordsOf(answer));
  return Math.round((wanted.filter((word) => said.has(word)).length / wanted.length) * 100) / 100;
}
