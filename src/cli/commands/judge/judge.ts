import { outputFlags } from "../../flags/output-flags.ts";
import { defineCommand } from "../../command.ts";
import { sendFlags } from "../../flags/run-flags.ts";

const { cache: _, "fail-on": __, ...asking } = sendFlags;

export const judgeCommand = defineCommand({
  command: "judge <action> <name> [suite]",
  describe: "Try a judge for its biases before you rely on it",
  needsKeys: true,
  positionals: {
    action: {
      choices: ["check"],
      demandOption: true,
      describe: "check: ask it about answers in both orders, padded, translated, repeated and spoilt",
    },
    name: { type: "string", demandOption: true, describe: "The judge: the name of its scorer in the suite" },
    suite: {
      type: "string",
      describe:
        "SUITE.yaml whose judge is tried, with the answers of its latest batch (default: the suite of the batch)",
    },
  },
  flags: {
    ...asking,
    batch: {
      group: "what",
      value: "BATCH",
      type: "string",
      describe: "Whose answers it is asked about: a name, SUITE~N or latest (the default)",
    },
    probes: {
      group: "what",
      value: "LIST",
      type: "string",
      describe: "What is tried, with commas: order, length, language, consistency, family, wrongs (default: all)",
    },
    cases: {
      group: "what",
      value: "N",
      type: "number",
      default: 100,
      describe: "So many cases at the most; a bias of 5 points is ruled out from 73 on",
    },
    repeats: {
      group: "what",
      more: true,
      value: "N",
      type: "number",
      default: 3,
      describe: "How often it is asked about the same answer to see whether it agrees with itself",
    },
    languages: {
      group: "what",
      value: "LIST",
      type: "string",
      describe: "Languages in which a table of short cases is asked, such as hi,es (default: those of the answers)",
    },
    seed: { group: "what", value: "TEXT", type: "string", default: "1", describe: "Chooses the cases" },
    "dry-run": {
      group: "what",
      type: "boolean",
      default: false,
      describe: "Say how many questions it takes and what they cost, and send nothing",
    },
    yes: { group: "what", type: "boolean", default: false, describe: "Do not ask before more than 1,000 questions" },
    output: {
      ...outputFlags.output,
      describe: "Also write the page of results: .md, .html or .json; - is standard output, as Markdown",
    },
  },
  examples: [
    ["$0 judge check helpful --dry-run", "How many questions it takes, and what they cost"],
    ["$0 judge check helpful", "Try the judge of the latest batch with its answers"],
    ["$0 judge check better --probes order --cases 150", "Does it prefer the answer that it is shown first?"],
    ["$0 judge check helpful suite.yaml -o check.html", "The judge as it is now in the file, with a page to pass on"],
  ],
  async run(flags, terminal) {
    const { runJudge } = await import("./judge.run.ts");
    return runJudge(flags, terminal);
  },
});
