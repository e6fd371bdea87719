import type { ExplainedAnswer, ExplainedScore, Explanation } from "../../../app/grade/explain.ts";
import { isBesideThePoint } from "../../../score/contract/scorer.ts";
import { isJsonObject } from "../../../lib/json.ts";
import { visible } from "../../../report/text/visible.ts";
import { figure } from "./score.text.ts";

/** The way each scorer sees one case. */
export function explanationText({ batch, key, row, input, expected, tags, answers }: Explanation): string {
  return [
    `${visible(key)}${row === null ? "" : ` (row ${row})`} of ${visible(batch)}`,
    ...block("question", JSON.stringify(input["input_prompt"] === undefined ? input : input["input_prompt"])),
    ...(expected === null ? [] : block("expected", expected)),
    ...Object.entries(tags).map(([tag, value]) => `  ${visible(tag)}: ${visible(value)}`),
    ...answers.flatMap((answer) => ["", ...answerLines(answer)]),
  ].join("\n");
}

function answerLines(answer: ExplainedAnswer): string[] {
  const { target, repeat, outcome, error, url, pass, scores, labels } = answer;
  const whole = pass === null ? "" : pass ? "; passes as a whole" : "; fails as a whole";
  return [
    `${visible(target)}${repeat > 1 ? `, repeat ${repeat}` : ""}: ${visible(outcome)}${whole}`,
    ...(url === null ? [] : [`  ${visible(url)}`]),
    ...(error === null ? [] : [`  ${visible(error)}`]),
    ...(answer.answer === null ? [] : block("answered", answer.answer)),
    ...scores.flatMap((score) => scoreLines(score, answer)),
    ...labels.map(
      ({ scorer, label, note, author }) =>
        `  label${scorer === "" ? "" : ` of ${visible(scorer)}`}: ${visible(label)}${author === "" ? "" : ` by ${visible(author)}`}${note === null ? "" : `: ${visible(note)}`}`,
    ),
  ];
}

function scoreLines(
  { scorer, type, score, why, looked, questions }: ExplainedScore,
  answer: ExplainedAnswer,
): string[] {
  const text = looked?.text ?? null;
  return [
    `  ${visible(scorer)} (${type}): ${score === null ? (why ?? "not graded") : scoreWords(score)}`,
    // The text that was looked at is only worth its lines if it is not simply the answer.
    ...(text === null || text === answer.answer ? [] : block("looked at", text, 4)),
    ...(looked?.expected === null || looked?.expected === undefined ? [] : block("compared with", looked.expected, 4)),
    ...questions.flatMap(({ judge, time, question, reply, outcome, url }) => [
      `    ${visible(judge)} was asked${time > 1 ? " again" : ""}${url === null ? "" : `: ${visible(url)}`}`,
      ...block("question", promptOf(question), 6),
      ...block(outcome === "ok" ? "reply" : (outcome ?? "no reply yet"), reply ?? "", 6),
    ]),
  ];
}

/** A bot is asked by its prompt; what stands beside it says the same. A function is asked by its variables. */
function promptOf(question: string): string {
  const body: unknown = JSON.parse(question);
  const prompt = isJsonObject(body) ? body["input_prompt"] : undefined;
  return typeof prompt === "string" && prompt !== "" ? prompt : question;
}

function scoreWords(score: NonNullable<ExplainedScore["score"]>): string {
  if ("unscored" in score) return `${isBesideThePoint(score) ? "not graded" : "unscored"}: ${visible(score.unscored)}`;
  const pass = score.pass === null ? "" : score.pass ? "pass, " : "fail, ";
  return `${pass}${figure(score.value)}${score.reason === "" ? "" : `: ${visible(score.reason)}`}`;
}

const mostCharacters = 4_000;

/** A text under its title, line by line, with nothing a terminal would obey. */
function block(title: string, text: string, indent = 2): string[] {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  const space = " ".repeat(indent);
  const lines = shown.split(/\r?\n/);
  if (lines.length === 1) return [`${space}${title}: ${visible(shown)}`];
  return [`${space}${title}:`, ...lines.map((line) => `${space}  ${visible(line)}`)];
}
