import { AppError } from "../../../errors.ts";
import { string } from "../../flag.ts";
import { suiteHere } from "../../flags/suite-path.ts";
import { defineCommand, jsonFlag, resultsFlag } from "../../command.ts";

export const doctorCommand = defineCommand({
  command: "doctor [suite]",
  describe: "Look at this machine, at a suite's dataset, deployments and keys, or try an endpoint",
  needsKeys: true,
  positionals: {
    suite: { type: "string", describe: "A suite (.yaml); without one, tandem.yaml where the working folder has it" },
  },
  flags: {
    ...jsonFlag,
    ...resultsFlag,
    try: string("what", "Make one call to an endpoint, and print what came back with the lines of a suite for it", {
      value: "URL",
    }),
    model: string("what", "With --try: the model of a chat", { value: "NAME" }),
    body: string("what", "With --try: the body to send, with {{ input_prompt }} for the prompt", { value: "JSON" }),
    ask: string("what", "With --try: the prompt", { value: "TEXT", default: "Hello" }),
  },
  examples: [
    ["$0 doctor", "Node, database, disk, open files"],
    ["$0 doctor suite.yaml", "Before the first run, or when one fails"],
    ["$0 doctor --try https://api.openai.com/v1 --model gpt-4.1-mini", "A first call to a chat"],
    [`$0 doctor --try http://bot.test/chat --body '{"q": "{{ input_prompt }}"}'`, "... or to an endpoint of your own"],
  ],
  async run(flags, terminal) {
    if (flags.try !== undefined) {
      if (flags.suite !== undefined)
        throw new AppError("USAGE", "A suite and --try cannot be used together.", { hint: "Keep one of them." });
      const { tryEndpoint } = await import("./doctor.try.ts");
      return tryEndpoint({ ...flags, url: flags.try }, terminal);
    }
    const lost = (["model", "body"] as const).find((flag) => flags[flag] !== undefined);
    if (lost !== undefined) {
      throw new AppError("USAGE", `--${lost} is for --try, and nothing is tried.`, {
        hint: `tandem doctor --try URL --${lost} ...`,
      });
    }
    const { printChecks } = await import("./doctor.run.ts");
    return printChecks({ ...flags, suite: flags.suite ?? suiteHere(terminal) ?? undefined }, terminal);
  },
});
