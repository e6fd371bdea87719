import { count, string, toggle } from "../../flag.ts";
import { outputFlags } from "../../flags/output-flags.ts";
import { defineCommand } from "../../command.ts";
import { sendFlags } from "../../flags/run-flags.ts";

const { cache: _, "fail-on": __, ...asking } = sendFlags;

export const judgeCommand = defineCommand({
  command: "judge <action> [name] [suite]",
  describe: "Try a judge for its biases, or show ready rubrics",
  needsKeys: true,
  positionals: {
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
  },
  flags: {
    ...asking,
    batch: string("what", "For check: whose answers it is asked about: a name, SUITE~N or latest (the default)", {
      value: "BATCH",
    }),
    probes: string("what", "For check: what is tried, with commas: order, length, consistency, wrongs (default: all)", {
      value: "LIST",
    }),
    cases: count("what", "For check: so many cases at the most; a bias of 5 points is ruled out from 73 on", {
      value: "N",
      default: 100,
    }),
    repeats: count(
      "what",
      "For check: how often it is asked about the same answer to see whether it agrees with itself",
      { more: true, value: "N", default: 3 },
    ),
    seed: string("what", "For check: chooses the cases", {
      value: "TEXT",
      default: "1",
      more: true,
    }),
    language: string("what", "For rubrics: the language of the text: en, es, hi, de, fr or ar", {
      value: "CODE",
      default: "en",
      more: true,
    }),
    wrongs: toggle("what", "For rubrics: show the answers by which one is tested, good and wrong ones", { more: true }),
    "dry-run": toggle("what", "For check: say how many questions it takes and what they cost, and send nothing"),
    yes: toggle("what", "For check: do not ask before more than 1,000 questions"),
    output: {
      ...outputFlags.output,
      describe: "For check: also write the page of results: .md, .html or .json; - is standard output, as Markdown",
    },
  },
  examples: [
    ["$0 judge check helpful --dry-run", "How many questions it takes, and what they cost"],
    ["$0 judge check helpful", "Try the judge of the latest batch with its answers"],
    ["$0 judge check better --probes order --cases 150", "Does it prefer the answer that it is shown first?"],
    ["$0 judge check helpful suite.yaml -o check.html", "The judge as it is now in the file, with a page to pass on"],
    ["$0 judge rubrics same-meaning --language es", "The text of a ready rubric, as a judge is given it"],
  ],
  async run(flags, terminal) {
    if (flags.action === "rubrics") {
      const { shownRubrics } = await import("./rubrics.run.ts");
      return shownRubrics(flags);
    }
    const { runJudge } = await import("./judge.run.ts");
    return runJudge(flags, terminal);
  },
});
