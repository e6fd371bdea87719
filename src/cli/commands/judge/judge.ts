import { type Flags, count, string, toggle } from "../../flag.ts";
import { outputFlags } from "../../flags/output-flags.ts";
import { defineCommand, type Given, type Positionals } from "../../command.ts";
import { sendFlags } from "../../flags/run-flags.ts";

const { cache: _, "fail-on": __, ...asking } = sendFlags;

const positionals = {
  action: {
    choices: ["check", "rubrics"],
    demandOption: true,
    describe:
      "check: ask it about answers in both orders, padded, repeated and spoilt, and keep questions by which `tandem night` sees when it has changed; rubrics: list the ready rubrics, or print the text of one",
  },
  name: {
    type: "string",
    describe: "For check: the judge, by the name of its scorer. For rubrics: one of them",
  },
  suite: {
    type: "string",
    describe:
      "For check: SUITE.yaml whose judge is tried, with the answers of its latest batch (default: the suite of the batch)",
  },
} as const satisfies Positionals;

const flags = {
  ...asking,
  batch: string("what", "Whose answers it is asked about: a name, SUITE~N or latest (the default)", {
    for: ["check"],
    value: "BATCH",
  }),
  probes: string("what", "What is tried, with commas: order, length, consistency, wrongs (default: all)", {
    for: ["check"],
    value: "LIST",
  }),
  cases: count("what", "So many cases at the most; a bias of 5 points is ruled out from 73 on", {
    for: ["check"],
    value: "N",
    default: 100,
    least: 1,
  }),
  repeats: count("what", "How often it is asked about the same answer to see whether it agrees with itself", {
    for: ["check"],
    more: true,
    value: "N",
    default: 3,
    least: 2,
  }),
  seed: string("what", "Chooses the cases", { for: ["check"], value: "TEXT", default: "1", more: true }),
  language: string("what", "The language of the text: en, es, hi, de, fr or ar", {
    for: ["rubrics"],
    value: "CODE",
    default: "en",
    more: true,
  }),
  wrongs: toggle("what", "Show the answers by which one is tested, good and wrong ones", {
    for: ["rubrics"],
    more: true,
  }),
  "dry-run": toggle("what", "Say how many questions it takes and what they cost, and send nothing", {
    for: ["check"],
  }),
  yes: toggle("what", "Do not ask before more than 1,000 questions", { for: ["check"] }),
  output: {
    ...outputFlags.output,
    for: ["check"],
    describe: "Also write the results: .md or .json; - is standard output, as Markdown",
  },
} as const satisfies Flags;

export type JudgeFlags = Given<typeof positionals, typeof flags>;

export const judgeCommand = defineCommand({
  command: "judge <action> [name] [suite]",
  describe: "Try a judge for its biases, or show ready rubrics",
  needsKeys: true,
  positionals,
  flags,
  examples: [
    ["$0 judge check helpful --dry-run", "How many questions it takes, and what they cost"],
    ["$0 judge check helpful", "Try the judge of the latest batch with its answers"],
    ["$0 judge check better --probes order --cases 150", "Does it prefer the answer that it is shown first?"],
    ["$0 judge check helpful suite.yaml -o check.md", "The judge as it is now in the file, with results to pass on"],
    ["$0 judge rubrics same-meaning --language es", "The text of a ready rubric, as a judge is given it"],
  ],
  async run(given, terminal) {
    if (given.action === "rubrics") {
      const { shownRubrics } = await import("./rubrics.run.ts");
      return shownRubrics(given);
    }
    const { runJudge } = await import("./judge.run.ts");
    return runJudge(given, terminal);
  },
});
