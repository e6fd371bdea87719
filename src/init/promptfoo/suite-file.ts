import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { FieldSource } from "../../suite/suite.ts";
import { fewestRows, fewRowsComments, runsOfFewRows } from "../few-rows.ts";
import { entryLines, headLines } from "../suite-text.ts";
import { yamlValue } from "../yaml-value.ts";
import type { AskedParts, WhoIsAsked } from "./asked.ts";
import { conversationColumns } from "./conversations.ts";
import { type WrittenTests, writtenColumns } from "./rows.ts";

/** The content of a suite made from promptfoo's files. */
export interface PromptfooSuite extends Pick<AskedParts, "deployments" | "targets" | "judges" | "judgeOf" | "keys"> {
  name: string;
  /** The file that it was made from. */
  from: string;
  /** Address of the suites' schema. */
  schema: string | null;
  /** The written dataset, relative to the suite. */
  dataset: string;
  /** The fields of a case. */
  input: Record<string, FieldSource>;
  /** The tests are turns of conversations. */
  isConversation: boolean;
  /** Each target has a prompt of its own. */
  hasPrompts: boolean;
  tests: WrittenTests;
  isStandIn: WhoIsAsked["isStandIn"];
  repeats: number | null;
  /** Sentences on what is not in the suite. */
  left: readonly string[];
}

/** The suite as a file that people read and change. */
export function promptfooSuiteText(suite: PromptfooSuite): string {
  const { name, from, dataset, tests, deployments, targets, judges, repeats } = suite;
  const { checks, graders } = writtenColumns;
  const hasGraders = tests.rubrics.length > 0 || tests.scripts.length > 0;
  const tags = [...tests.tags, ...(hasGraders ? [graders] : [])];
  const hasEntries = tests.hasChecks || hasGraders;
  const isFew = hasEntries && decidesByRows(suite);
  const lines = [
    ...headLines(suite.schema, comment(from)),
    ...leftLines(suite.left),
    `name: ${yamlValue(name)}`,
    `dataset: ${yamlValue(dataset)} # a line for each test, with its checks`,
    "",
    "case:",
    "  input:",
    ...Object.entries(suite.input).map(([field, source]) => {
      const about = suite.hasPrompts ? " # the first prompt; each target sends its own" : " # what is sent";
      return `    ${yamlValue(field)}: ${yamlValue(source)}${field === "input_prompt" ? about : ""}`;
    }),
    ...(suite.isConversation
      ? [
          `  cluster: ${conversationColumns.conversation} # conversationId: each turn is sent with what was said before it`,
          "  turn: __order # as the tests stand",
          `  opening: ${conversationColumns.opening} # the messages before the first question`,
        ]
      : []),
    ...(hasEntries ? [`  scorers: ${checks} # what each test is graded by, with its weights`] : []),
    ...(tags.length > 0 ? [`  tags: ${yamlValue(tags)}`] : []),
    "",
    ...(Object.keys(deployments).length === 0 ? [] : ["deployments:", ...deploymentLines(suite), ""]),
    ...(Object.keys(targets).length > 1
      ? ["# What every row is sent to. They are compared with the first, or with the one named prod."]
      : []),
    "targets:",
    ...entryLines(targets),
    ...(suite.isStandIn
      ? ["  # prod: { deployment: prod, endpoint: video-bots, example_id: THE_ID_OF_YOUR_BOT }"]
      : []),
    "",
    ...repeatLines(repeats, isFew),
    ...(Object.keys(judges).length === 0 ? [] : ["# Who judges by the rubrics.", "judges:", ...entryLines(judges), ""]),
    ...scorerLines(suite),
    ...(isFew ? gateLines(tests.rows, hasGraders ? overall : "checks") : []),
    "",
  ];
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** A configuration that says how often a test is asked is followed. */
function repeatLines(repeats: number | null, isFew: boolean): string[] {
  if (repeats !== null) return [`repeats: ${repeats}`, ""];
  return isFew ? [fewRowsComments.repeats, `repeats: ${runsOfFewRows}`, ""] : [];
}

/** Two bots or more, asked often enough, and too few tests for a margin. Answers of before cannot be asked for again. */
function decidesByRows({ targets, tests, repeats }: PromptfooSuite): boolean {
  const all = Object.values(targets);
  const isStored = all.some((target) => isJsonObject(target) && "answers" in target);
  return all.length > 1 && !isStored && tests.rows < fewestRows && (repeats ?? runsOfFewRows) >= runsOfFewRows;
}

function gateLines(rows: number, metric: string): string[] {
  return ["", fewRowsComments.gates(rows, " in all its runs"), `gates: [{ metric: ${metric}, losses: 0 }]`];
}

function deploymentLines({ deployments, isStandIn, keys }: PromptfooSuite): string[] {
  if (!isStandIn) {
    const about =
      keys.length === 0 ? [] : [`  # Keys and the like stand in the environment, never here: ${keys.join(", ")}.`];
    return [...about, ...entryLines(deployments)];
  }
  return [
    "  # An embedded deployment that stands in for yours: no key, no network. It knows nothing of the prompts, so its",
    "  # answers fail most checks. Write the address of your own, with its key in TANDEM_PROD_API_KEY.",
    ...entryLines(deployments),
    "  # prod: { base_url: https://api.example.com, concurrency: 4, rate: 10/m }",
  ];
}

function leftLines(left: readonly string[]): string[] {
  if (left.length === 0) return [];
  return ["#", "# Not in this suite, or not as it was:", ...left.map((line) => `#   ${comment(line)}`), ""];
}

/** Name of the score over all that grades a test. */
const overall = "correct";

/** An entry of `scorers`. */
type Entry = { name: string } & Record<string, JsonValue>;

function scorerLines({ tests, judgeOf }: PromptfooSuite): string[] {
  const { hasChecks, rubrics, scripts, gradersOf, metrics } = tests;
  const when = (scorer: string): JsonObject => ({ when: { [writtenColumns.graders]: gradersOf.get(scorer) ?? [] } });
  const parts: Entry[] = [
    ...(hasChecks ? [{ name: "checks", type: "checks" }] : []),
    ...rubrics.map(({ name, by, column, threshold, looksAt }): Entry => ({
      name,
      type: by === "judge" ? "judge" : "embedding-similarity",
      target: judgeOf.get(name) ?? "",
      ...looksAt,
      ...(by === "judge" ? { rubric: `{{ ${column} }}` } : { value: `{{ ${column} }}`, clean: false }),
      ...(threshold !== null && { threshold: Math.min(1, Math.max(0, threshold)) }),
      ...when(name),
    })),
    ...scripts.map((name, i): Entry => ({
      name,
      type: "module",
      file: "./assertions.mjs",
      ...(i > 0 && { options: { number: i + 1 } }),
      ...when(name),
    })),
  ];
  if (parts.length === 0) return ["# scorers:", "#   - { name: polite, type: icontains, value: please }"];
  const others = rubrics.length + scripts.length > 0;
  const whole: Entry[] = others ? [{ name: overall, type: "row-mean", of: parts.map(({ name }) => name) }] : [];
  const all = [...whole, ...parts];
  const scorers = [...all, ...metricEntries(metrics, new Set(all.map(({ name }) => name)))];
  return [
    others
      ? "# How an answer is graded: by the weighted mean of the checks of its test, judges and code. The first is what a comparison is about."
      : "# How an answer is graded: by the weighted mean of the checks of its test. The first is what a comparison is about.",
    "scorers:",
    ...scorers.map((scorer) => `  - ${yamlValue(scorer)}`),
    ...(scorers.length > 1 ? [`pass: ${yamlValue({ all: [scorers[0]?.name ?? ""] })}`] : []),
  ];
}

/** A scorer for each metric of promptfoo: the mean of the expectations that have its name. */
function metricEntries(metrics: WrittenTests["metrics"], taken: Set<string>): Entry[] {
  const free = (name: string): string => {
    let found = name;
    while (taken.has(found)) found = `${found} (metric)`;
    taken.add(found);
    return found;
  };
  return Array.from(metrics, ([metric, { hasChecks, scorers }]): Entry[] => {
    const name = free(metric);
    if (scorers.size === 0) return [{ name, type: "checks", metric }];
    if (!hasChecks) return [{ name, type: "row-mean", of: [...scorers], metric }];
    const own = free(`${metric} of the checks`);
    return [
      { name, type: "row-mean", of: [own, ...scorers], checks: own, metric },
      { name: own, type: "checks", metric },
    ];
  }).flat();
}

/** A text that stays within its line of a comment. */
function comment(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ");
}
