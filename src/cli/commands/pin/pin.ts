import { type Flags, string, toggle } from "../../flag.ts";
import { AppError } from "../../../errors.ts";
import { defineCommand, noTexts, type Given, type Positionals, jsonFlag, resultsFlag } from "../../command.ts";

const positionals = {
  batches: {
    type: "string",
    array: true,
    default: noTexts,
    describe: "Batches by name, SUITE~N or latest; with --export or --remove pins; none: list all pins",
  },
} as const satisfies Positionals;

const flags = {
  ...jsonFlag,
  ...resultsFlag,
  as: string("what", "The name to give", { value: "NAME" }),
  replace: toggle("what", "With --as: take the name from what has it now"),
  remove: toggle("what", "Forget these pins; their batches stay"),
  export: string(
    "what",
    "Write a pin (or batch) to this file, for machines that start empty: answers and scores, no inputs",
    { value: "FILE" },
  ),
} as const satisfies Flags;

export type PinFlags = Given<typeof positionals, typeof flags>;

export const pinCommand = defineCommand({
  command: "pin [batches..]",
  describe: "Name batches that later ones are compared with, and list them",
  positionals,
  flags,
  examples: [
    ["$0 pin latest --as release-12", "Name the latest batch"],
    ["$0 pin nightly~2 nightly~1 nightly --as week-12", "Pool three nights: their runs count as one side"],
    ["$0 run suite.yaml --against release-12", "Compare a run with it"],
    [
      "$0 pin release-12 --export release-12.jsonl",
      "Then, elsewhere: `tandem run suite.yaml --against release-12.jsonl`",
    ],
  ],
  async run(given) {
    const asked = [given.as !== undefined, given.remove, given.export !== undefined].filter(Boolean).length;
    if (asked > 1) throw new AppError("USAGE", "--as, --remove and --export cannot be used together.");
    if (asked === 1 && given.batches.length === 0) {
      throw new AppError("USAGE", "pin needs a batch or a pin.", { hint: "See `tandem pin --help`." });
    }
    if (asked === 0 && given.batches.length > 0) {
      throw new AppError("USAGE", "pin needs to know what to do.", {
        hint: "Add --as NAME, --remove or --export FILE.",
      });
    }
    const { editPins } = await import("./pin.run.ts");
    return editPins(given);
  },
});
