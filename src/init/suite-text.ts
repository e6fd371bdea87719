import { orderColumn } from "../dataset/table/column.ts";
import type { SuiteFileInput } from "../suite/schema/schema.ts";
import { isJsonObject, type JsonObject } from "../lib/json.ts";
import type { StoredColumns } from "../suite/suite.ts";
import { isOfFunctions, type Proposal, saysRightOrWrong, scorerEntryText } from "../score/proposal/proposal.ts";
import type { OwnBot } from "./conversion.ts";
import { fewestRows, fewRowsComments, runsOfFewRows } from "./few-rows.ts";
import type { FoundBy, Roles } from "./roles.ts";
import { ownKeyName } from "../suite/written-deployment.ts";
import { yamlValue } from "./yaml-value.ts";
import { sentenceList } from "../lib/sentence-list.ts";

/** The content of a new suite. */
export interface NewSuite {
  name: string;
  /** Relative to the suite. */
  dataset: string;
  rows: number;
  /** Path of the schema from the suite. */
  schema: string | null;
  roles: Roles;
  /** The deployment and target of the user's own bot; null: that of the embedded deployment is asked. */
  bot: OwnBot | null;
  /** Sentences above the target of the user's own bot. */
  remark: readonly string[];
  /** The folder of an embedded deployment, relative to the suite. */
  bots: string;
  /** Saved configurations of that folder that are asked. */
  exampleIds: readonly string[];
  /** Scorers that fit the expected answers, the best first. */
  scorers: readonly Proposal[];
  /** A judge that fits them too, as an entry. */
  judge: string | null;
  /** The rows bring checks of their own (promptfoo's `__expected`). */
  hasChecks: boolean;
  /** Format of the dataset, if a flag gave it. */
  format: SuiteFileInput["format"];
}

/** The suite as a file that people read and change. */
export function suiteText(request: NewSuite): string {
  const { name, dataset, roles, bots, exampleIds, format } = request;
  const { repeats, gates } = decisionLines(request);
  const {
    question,
    foundBy,
    prompt,
    talks,
    answer,
    key,
    cluster,
    turn,
    orderBy,
    stored,
    drawn,
    tags,
    files = [],
  } = roles;
  const lines = [
    ...headLines(request.schema, dataset.replaceAll(/\s/g, " ")),
    `name: ${yamlValue(name)}`,
    `dataset: ${yamlValue(dataset)}`,
    ...(format === undefined ? [] : [`format: ${yamlValue(format)}`]),
    "",
    "case:",
    key === null
      ? "  # key: id                # a column that identifies a row from night to night; without one the key is made of the question"
      : `  key: ${yamlValue(key)} # identifies a row from night to night`,
    ...(talks === null ? inputLines({ question, prompt, files }) : talkLines(talks)),
    ...(answer === null
      ? [
          `  # expected: answer       # the column with the expected answer; ${request.hasChecks ? "the checks of the rows need none" : "none was found"}`,
        ]
      : [`  expected: ${yamlValue(answer)} # ${expectedComments[foundBy.answer ?? "name"]}`]),
    ...(cluster === null || turn === null || talks?.turns !== undefined
      ? []
      : talks !== null
        ? [`  cluster: ${yamlValue(cluster)} # the rows of one conversation`]
        : [
            `  cluster: ${yamlValue(cluster)} # the rows of one conversation ...`,
            turn === orderColumn
              ? `  turn: ${yamlValue(turn)} # ... are its turns ${orderBy === null ? "as they stand" : "in the order of order_by"}, each sent with the replies so far`
              : `  turn: ${yamlValue(turn)} # ... are sent in this order, each with the replies so far`,
          ]),
    ...(drawn === undefined ? [] : drawnLines(drawn)),
    ...(orderBy === null ? [] : [`  order_by: ${yamlValue(orderBy)}`]),
    `  tags: ${yamlValue(tags)}${tags.length === 0 ? "                 # columns to select and group by" : " # for `--tag NAME=VALUE`"}`,
    "",
    "deployments:",
    ...(request.bot === null ? embeddedLines(bots) : ownLines(request.bot.deployments)),
    "",
    "# What every row is sent to. With two or more, they are compared.",
    "targets:",
    ...(stored === null
      ? []
      : [
          "  # What was answered then: columns of the dataset. Nothing is sent for it, and the others are compared with it.",
          `  before: ${yamlValue(storedSection(stored))}`,
        ]),
    ...exampleIds.map(
      (id) => `  ${yamlValue(id)}: { deployment: local, endpoint: video-bots, example_id: ${yamlValue(id)} }`,
    ),
    ...(request.bot === null
      ? ["  # prod: { deployment: prod, endpoint: video-bots, example_id: THE_ID_OF_YOUR_BOT }"]
      : [...request.remark.map((line) => `  # ${line}`), ...entryLines(request.bot.targets)]),
    "",
    ...repeats,
    "",
    ...(request.hasChecks ? checkLines : scorerLines(request)),
    ...gates,
    "",
  ];
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** A proposal, with the other way: rows of a group that was chosen are no sample. */
const drawnLines = (column: string): string[] => [
  `  # A proposal by its name. If these are all there are, and not a sample, they are tags: write ${yamlValue(column)} into \`tags\` instead.`,
  `  cluster: ${yamlValue(column)} # rows of one value go right or wrong together, and count as one`,
];

const expectedComments: Record<FoundBy, string> = {
  name: "the expected answer",
  person: "the expected answer",
  "likely-name":
    "taken for the expected answer; answers that a bot gave are none (targets: before: { answers: COLUMN })",
  word: "taken for the expected answer, a guess by a word of its name",
  content: "taken for the expected answer, a guess by what is in it",
};

/** The fields of a request, and the columns that fill them. */
function inputLines({ question, prompt, files = [] }: Pick<Roles, "question" | "prompt" | "files">): string[] {
  const fields =
    prompt === null
      ? [`    input_prompt: ${yamlValue(question)} # what is sent`, ...fileLines(files)]
      : Object.entries(prompt).map(([field, from]) => `    ${yamlValue(field)}: ${yamlValue(from)} # what is sent`);
  return ["  input:", ...fields];
}

const fileLines = (files: NonNullable<Roles["files"]>): string[] =>
  files.map(
    ({ column, field }) =>
      `    ${field}: ${yamlValue({ column, type: "file" })} # files by their paths from the sheet's folder, or addresses`,
  );

const embeddedLines = (bots: string): string[] => [
  "  # An embedded deployment, started for the command: no key, no network. For a real one write its address, and set",
  "  # TANDEM_LOCAL_API_KEY (or TANDEM_API_KEY) in the environment: a key is never written here.",
  "  local:",
  `    base_url: ${yamlValue(`local:${bots}`)}`,
  "  # prod: { base_url: https://api.example.com, concurrency: 4, rate: 10/m }",
];

/** Deployments of the bot of the user. */
const ownLines = (deployments: JsonObject): string[] => [
  ...(Object.values(deployments).some((each) => isJsonObject(each) && "headers" in each)
    ? ["  # The values of ${...} stand in the environment or in .env, never here."]
    : keyLines(deployments)),
  ...entryLines(deployments),
];

const keyLines = (deployments: JsonObject): string[] => [
  `  # The key, where it needs one, stands in ${sentenceList(Object.keys(deployments).map(ownKeyName), "or")} of the environment, never here.`,
  '  # It is sent as Authorization: Bearer. In another header: headers: { X-Api-Key: "${MY_KEY}" }',
];

export const entryLines = (entries: JsonObject): string[] =>
  Object.entries(entries).map(([name, entry]) => `  ${yamlValue(name)}: ${yamlValue(entry)}`);

/** The columns of conversations that are lists or rows of messages. */
function talkLines({ turns, messages }: NonNullable<Roles["talks"]>): string[] {
  if (turns !== undefined)
    return [
      `  turns: ${yamlValue(turns)} # a conversation in each row: the user's messages are sent, with the replies so far`,
    ];
  return messages === undefined
    ? []
    : [`  messages: ${yamlValue(messages)} # a row for each message: the user's are sent, with the replies so far`];
}

/** Words on the checks of rows, which are a scorer by themselves. */
const checkLines = [
  "# How an answer is graded: by the expectations of its row (__expected). They are the scorer `checks`.",
  "scorers:",
  "  - { name: checks, type: checks }",
];

/** The scorer for an answer, with the reason; others stand below it to be chosen instead. */
function scorerLines({ scorers: [best, ...others], judge }: Pick<NewSuite, "scorers" | "judge">): string[] {
  const about = "# How an answer is graded. The first scorer is what a comparison is about.";
  if (best === undefined) return [about, "# scorers:", "#   - { name: polite, type: icontains, value: please }"];
  return [
    about,
    `# ${best.because} ${best.asks}`,
    "scorers:",
    `  - ${scorerEntryText(best)}`,
    ...others.map((other) => `  # - ${scorerEntryText(other)} # instead: ${lowerFirst(other.asks)}`),
    ...(judge === null
      ? []
      : [
          "  # Or a judge, a model that says whether an answer means the same in other words. Give its deployment a name above, such as",
          "  # judges: { base_url: https://api.example.com/v1 }, with the key in TANDEM_JUDGES_API_KEY, and take the # away:",
          `  # - ${judge}`,
        ]),
  ];
}

/**
 * Runs of each row, and the gate that decides, for a scorer that says right or wrong: few rows are asked three times, and
 * one that newly fails in all runs decides; of more, a loss beyond a margin does.
 */
function decisionLines({ rows, scorers: [best], judge, hasChecks }: NewSuite): { repeats: string[]; gates: string[] } {
  const metric = hasChecks ? "checks" : best !== undefined && saysRightOrWrong(best) ? best.name : null;
  if (metric !== null && rows < fewestRows) {
    const isFunction = best !== undefined && !hasChecks && isOfFunctions(best);
    return {
      repeats: isFunction ? ["repeats: 1"] : [fewRowsComments.repeats, `repeats: ${runsOfFewRows}`],
      gates: [
        "",
        fewRowsComments.gates(rows, isFunction ? "" : " in all three runs"),
        `gates: [{ metric: ${metric}, losses: 0 }]`,
      ],
    };
  }
  if (best === undefined || hasChecks || judge !== null) return { repeats: ["repeats: 1"], gates: [] };
  return {
    repeats: ["repeats: 1"],
    gates: [
      "",
      "# What decides, if nothing is written here: a loss of more than 5 percentage points of the first scorer is a regression.",
      `# gates: [{ metric: ${best.name}, margin: 0.05 }]`,
    ],
  };
}

/** The first lines of a suite: where an editor finds its schema, and where it comes from. */
export const headLines = (schema: string | null, from: string): string[] => [
  ...(schema === null ? [] : [`# yaml-language-server: $schema=${schema}`]),
  `# Made by \`tandem init\` from ${from}.${schema === null ? "" : " Every key is explained where your editor shows it."} Change what you like.`,
];

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The stored answers as a target of the suite. */
function storedSection({ answer, runId, url, createdAt, label, note }: StoredColumns): Record<string, string> {
  const columns = { answers: answer, run_id: runId, run_url: url, created_at: createdAt, label, note };
  return Object.fromEntries(
    Object.entries(columns).flatMap(([key, column]) => (column === null ? [] : [[key, column]])),
  );
}
