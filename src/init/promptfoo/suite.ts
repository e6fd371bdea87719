import type { JsonValue } from "../../lib/json.ts";
import type { PromptInput } from "./prompts.ts";
import { entryLines, type OwnBot, ownLines } from "../suite-text.ts";
import { yamlValue } from "../yaml-value.ts";
import type { HttpTarget } from "./providers.ts";
import { writtenColumns, type WrittenTests } from "./tests.ts";

/** Who is asked: the user's own bot, saved configurations of a folder, or the providers that can be. */
export type AskedBots =
  | { own: OwnBot }
  | { folder: string; exampleIds: readonly string[] }
  | { targets: readonly HttpTarget[] };

/** The content of a suite made from promptfoo's files. */
export interface PromptfooSuite {
  name: string;
  /** The file that it was made from. */
  from: string;
  /** The written dataset, relative to the suite. */
  dataset: string;
  /** Request fields of the first prompt. */
  input: PromptInput;
  /** Further prompts, which a suite sends one at a time. */
  others: readonly PromptInput[];
  tests: WrittenTests;
  asked: AskedBots;
  /** Sentences on what is not in the suite. */
  left: readonly string[];
}

/** The suite as a file that people read and change. */
export function promptfooSuiteText(suite: PromptfooSuite): string {
  const { name, from, dataset, tests } = suite;
  const { checks, judged, coded } = writtenColumns;
  const tags = [...tests.tags, ...(tests.isJudged ? [judged] : []), ...(tests.code.size > 0 ? [coded] : [])];
  const lines = [
    "# yaml-language-server: $schema=./suite.schema.json",
    `# Made by \`tandem init\` from ${comment(from)}. Every key is explained where your editor shows it; change what you like.`,
    ...leftLines(suite.left),
    `name: ${yamlValue(name)}`,
    `dataset: ${yamlValue(dataset)} # a line for each test, with its checks`,
    "",
    "case:",
    "  input:",
    ...Object.entries(suite.input).map(
      ([field, source]) => `    ${yamlValue(field)}: ${yamlValue(source)} # what is sent`,
    ),
    ...suite.others.map(
      ({ input_prompt: prompt }) =>
        `    # input_prompt: ${yamlValue(prompt)} # another prompt of ${comment(from)}: one at a time`,
    ),
    ...(tests.hasChecks ? [`  scorers: ${checks} # the checks of each test`] : []),
    ...(tags.length > 0 ? [`  tags: ${yamlValue(tags)}`] : []),
    "",
    "deployments:",
    ...deploymentLines(suite),
    "",
    "targets:",
    ...targetLines(suite.asked),
    "",
    ...judgeLines(suite),
    ...scorerLines(tests),
    "",
  ];
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** The deployment with the judge that stands in for one, where another is called `local`. */
const judgesDeployment = "stand_in";

function deploymentLines({ asked, tests: { isJudged } }: PromptfooSuite): string[] {
  const judges = isJudged
    ? [`  ${judgesDeployment}: { base_url: local:./bots } # the judge that stands in for yours`]
    : [];
  if ("own" in asked) return [...ownLines(asked.own.deployments), ...judges];
  if ("folder" in asked) return [`  local: { base_url: ${yamlValue(`local:${asked.folder}`)} }`, ...judges];
  return [
    "  # An embedded deployment that stands in for yours: no key, no network. It knows nothing of the prompts, so its",
    "  # answers fail most checks. Write the address of your own, with its key in TANDEM_PROD_API_KEY.",
    "  local: { base_url: local:./bots }",
    ...asked.targets.map(({ name: deployment, baseUrl }) => `  ${deployment}: { base_url: ${yamlValue(baseUrl)} }`),
    ...(asked.targets.length === 0
      ? ["  # prod: { base_url: https://api.example.com, concurrency: 4, rate: 10/m }"]
      : []),
  ];
}

function targetLines(asked: AskedBots): string[] {
  if ("own" in asked) return entryLines(asked.own.targets);
  if ("folder" in asked)
    return asked.exampleIds.map(
      (id) => `  ${yamlValue(id)}: { deployment: local, endpoint: video-bots, example_id: ${yamlValue(id)} }`,
    );
  if (asked.targets.length === 0)
    return [
      "  assistant: { deployment: local, endpoint: video-bots, example_id: assistant }",
      "  # prod: { deployment: prod, endpoint: video-bots, example_id: THE_ID_OF_YOUR_BOT }",
    ];
  return asked.targets.map(
    ({ name: target, endpoint, exampleId }) =>
      `  ${target}: { deployment: ${target}, endpoint: ${endpoint}, example_id: ${yamlValue(exampleId)} }`,
  );
}

function leftLines(left: readonly string[]): string[] {
  if (left.length === 0) return [];
  return ["#", "# Not in this suite:", ...left.map((line) => `#   ${comment(line)}`), ""];
}

function judgeLines({ asked, tests: { isJudged } }: PromptfooSuite): string[] {
  if (!isJudged) return [];
  const deployment = "targets" in asked ? "local" : judgesDeployment;
  return [
    "# Who judges by the rubrics. This one stands in for a judge and counts shared words: write the id of your own.",
    "judges:",
    `  grader: { deployment: ${deployment}, endpoint: video-bots, example_id: judge }`,
    "",
  ];
}

function scorerLines({ hasChecks, isJudged, code }: WrittenTests): string[] {
  const { rubric, judged, coded } = writtenColumns;
  const scorers: ({ name: string } & Record<string, JsonValue>)[] = [
    ...(hasChecks ? [{ name: "checks", type: "checks" }] : []),
    ...(isJudged
      ? [{ name: "rubric", type: "judge", target: "grader", rubric: `{{ ${rubric} }}`, when: { [judged]: "yes" } }]
      : []),
    ...(code.size > 0
      ? [{ name: "javascript", type: "module", file: "./assertions.mjs", when: { [coded]: "yes" } }]
      : []),
  ];
  const names = scorers.map(({ name }) => name);
  if (scorers.length > 1) scorers.unshift({ name: "correct", type: "all-of", of: names });
  if (scorers.length === 0) return ["# scorers:", "#   - { name: polite, type: icontains, value: please }"];
  return [
    "# How an answer is graded: by the checks of its test, by a judge, by code. The first is what a comparison is about.",
    "scorers:",
    ...scorers.map((scorer) => `  - ${yamlValue(scorer)}`),
  ];
}

/** A text that stays within its line of a comment. */
function comment(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ");
}
