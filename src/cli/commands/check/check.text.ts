import { formWords } from "../../file-form.ts";
import { findingText } from "../../../dataset/finding.ts";
import type { Inspection } from "../../../dataset/inspect.ts";
import { kindOf } from "../../../score/proposal/kind.ts";
import { counted, duration } from "../../../report/say/quantity.ts";
import { brief } from "../../../lib/show.ts";
import { visible } from "../../../report/text/visible.ts";
import type { Check } from "../../../app/doctor/doctor.ts";
import { paint } from "../../../report/terminal/paint.ts";
import type { FirstCall } from "../../../app/doctor/first-call.ts";
import { outcomes } from "../../../api/outcomes.ts";
import { otherHeaderWords } from "../../../suite/key.ts";
import { ownKeyName } from "../../../suite/written-deployment.ts";
import { wrapped } from "../../../report/text/wrap.ts";
import { displayWidth, pad } from "../../../report/text/width.ts";

/** The facts about a dataset, and the number of findings in it, for a person. */
export function datasetLines({ profile, warnings }: Inspection): string[] {
  const { files, prompts, expected, tags, columns } = profile;
  const unused = columns.flatMap(({ name, uses }) => (uses.length === 0 ? [name] : []));
  const reported = [
    ...files.map(fileLine),
    ...(prompts.texts > 0 ? [`prompts: ${lengths(prompts)}`] : []),
    expected.texts > 0
      ? `expected answers: ${number(expected.texts)}, mostly ${kindOf(expected) ?? ""}, ${lengths(expected)}`
      : "expected answers: none",
    ...tags.flatMap(({ tag, values, others }) => {
      if (values.length === 0) return [];
      const counts = values.map(({ value, cases }) => `${value === "" ? "(none)" : value} ${number(cases)}`);
      return [`${tag}: ${[...counts, ...(others > 0 ? [`others ${number(others)}`] : [])].join(", ")}`];
    }),
    ...(unused.length === 0 ? [] : [`not used: ${someOf(unused)}`]),
  ];
  if (warnings.count > warnings.listed.length) {
    const kinds = Object.entries(warnings.counts).map(([kind, count]) => `${kind} ${number(count)}`);
    reported.push(
      `warnings: ${number(warnings.count)}, of which ${warnings.listed.length} are listed: ${kinds.join(", ")}`,
    );
  }
  return reported.map((line) => `  ${visible(brief(line))}`);
}

function fileLine(about: Inspection["profile"]["files"][number]): string {
  const { file, rows, emptyRows, format, delimiter } = about;
  // It was refused before it was read.
  if (format === "csv" && delimiter === null) return `${file}: not read`;
  return `${file}: ${counted(rows, "row")}${emptyRows > 0 ? `, ${number(emptyRows)} empty` : ""} (${formWords(about)})`;
}

const mostNames = 30;

function someOf(names: readonly string[]): string {
  const more = names.length > mostNames ? `, and ${number(names.length - mostNames)} more` : "";
  return `${names.slice(0, mostNames).join(", ")}${more}`;
}

/** Warnings about rows that can be sent and are suspicious, a line each. */
export function warningLines({ warnings }: Inspection): string[] {
  return warnings.listed.map((found) => visible(findingText(found)));
}

function lengths({ median, p95, max }: Inspection["profile"]["prompts"]): string {
  return `${number(median)} characters (median), 95 % up to ${number(p95)}, longest ${number(max)}`;
}

function number(count: number): string {
  return count.toLocaleString("en");
}

/** The verdict on a suite, or on a dataset alone, without faults. */
export function validText(path: string, cases: number, targets: number | null): string {
  const sent = targets === null ? "" : `, ${targets} ${targets === 1 ? "target" : "targets"}`;
  return `${path}: valid, ${cases} ${cases === 1 ? "row" : "rows"}${sent}`;
}

/** A first call as a person reads it: what was asked, and what came. */
export function firstCallText(call: FirstCall): string {
  const { parts, method, url, status, outcome, error, milliseconds, answer, reply } = call;
  const took = milliseconds === null ? "" : ` in ${duration(milliseconds)}`;
  const came = status === null ? outcome : `HTTP ${status}${took}`;
  return [
    `${method} ${visible(url)}: ${came}`,
    ...(error === null ? [] : [visible(error)]),
    ...(reply === null ? [] : ["", "The reply begins:", `  ${visible(reply)}`]),
    "",
    answer === null ? "No answer was found." : `The answer is: ${visible(answer.slice(0, 300))}`,
    ...(outcomes[outcome].cause === "key" ? Object.keys(parts.deployments).map(refusedKeyWords) : []),
  ].join("\n");
}

/** Says in the service's words why a first call has no answer, and the flag that may help. */
export function noAnswerWords(
  { status, outcome, error, reply, parts }: FirstCall,
  { url }: { url: string },
): { message: string; hint: string } {
  const offline = "or write the suite without asking: add --offline.";
  if (status === null)
    return {
      message: `${visible(url)} gave no reply, and no suite was written.`,
      hint: `Check the address and whether the service is up, ${offline}`,
    };
  const said = brief(visible(error ?? reply ?? "an empty reply").replaceAll(/\s+/g, " "));
  const [name = ""] = Object.keys(parts.deployments);
  if (outcomes[outcome].cause === "key")
    return {
      message: `${visible(url)} refuses the key (HTTP ${status}), and no suite was written. It says: ${said}`,
      hint: `Set ${ownKeyName(name)} in the environment or in .env; for a key in another header add -H 'X-Api-Key: \${MY_KEY}'.`,
    };
  return {
    message: `${visible(url)} gave no answer (HTTP ${status}), and no suite was written. It says: ${said}`,
    hint: `Say what it takes, such as --body '{"question": "{{ input_prompt }}"}', ${offline}`,
  };
}

const refusedKeyWords = (name: string): string =>
  `The service wants a key that it knows: set ${ownKeyName(name)} in the environment or in .env. ${otherHeaderWords(name)}`;

/** The lines of a suite that ask an endpoint as the first call did. */
export function suiteLines({ answer }: FirstCall, suite: string): string {
  const about =
    answer === null
      ? "A beginning of a suite; say what is sent (--body), and where the answer is:"
      : "Lines of a suite that ask it so:";
  const lines = suite.trimEnd().split("\n");
  return [about, "", ...lines.map((line) => `  ${visible(line)}`)].join("\n");
}

/** The checks as a table, with the advice below whatever is not well. */
export function checkLines(checks: Check[], { colored, width }: { colored: boolean; width: number }): string[] {
  const color = paint(colored);
  const names = Math.max(...checks.map(({ about }) => displayWidth(about)));
  return checks.flatMap(({ about, state, found, advice }) => {
    const word = state.padEnd("warning".length);
    const shown = state === "failed" ? color("red", word) : state === "warning" ? color("yellow", word) : word;
    const indent = " ".repeat("warning".length + names + 4);
    const laid = (text: string): string[] => wrapped(visible(text), width - indent.length);
    // A list of faults keeps its lines.
    const [first = "", ...more] = found.split("\n").flatMap(laid);
    const hint = state === "ok" || advice === null ? [] : laid(advice).map((line) => indent + color("dim", line));
    return [`${shown}  ${pad(about, names)}  ${first}`, ...more.map((line) => indent + line), ...hint];
  });
}
