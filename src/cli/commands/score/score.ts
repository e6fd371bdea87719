import { type Flags, string, strings, toggle } from "../../flag.ts";
import { batchPositional, defineCommand, type Given } from "../../command.ts";
import { codeFlag, sendFlags } from "../../flags/run-flags.ts";

const positionals = batchPositional;

const flags = {
  ...sendFlags,
  ...codeFlag,
  suite: string(
    "what",
    "Grade with the scorers of this suite file, which may also run modules and commands beside it",
    { value: "SUITE.yaml" },
  ),
  scorer: strings(
    "what",
    "Also grade by this, beside the batch's own scorers: contains, or {type: length, max: 300}; repeatable",
    { value: "SCORER" },
  ),
  again: toggle("what", "Grade although neither scorers nor answers are new", { more: true }),
  explain: string("what", "The key of a case, or row:12: show how each scorer sees it, and grade nothing", {
    value: "KEY",
  }),
  list: toggle("what", "List every scoring of the batch, and grade nothing"),
} as const satisfies Flags;

export type ScoreFlags = Given<typeof positionals, typeof flags>;

export const scoreCommand = defineCommand({
  command: "score [batch]",
  describe: "Grade stored answers again; only judges and links need the network",
  needsKeys: true,
  positionals,
  flags,
  examples: [
    ["$0 score", "Grade the latest batch again, if anything is new"],
    ["$0 score help-desk~1 --suite suite.yaml", "With the scorers as they are now in the file"],
    ["$0 score --scorer icontains", "Decide a run that had no scorers; then `tandem compare`"],
    ["$0 score --explain k17", "What each scorer looked at, what it expected and what it said of the case k17"],
  ],
  async run(given, terminal) {
    if (given.explain !== undefined) {
      const { explained } = await import("./score.run.ts");
      return explained({ ...given, explain: given.explain }, terminal);
    }
    const { listOfScorings, runScore } = await import("./score.run.ts");
    return given.list ? listOfScorings(given) : runScore(given, terminal);
  },
});
