import { type Flags, string, strings, toggle } from "../../flag.ts";
import { defineCommand, type Given, type Positionals, jsonFlag } from "../../command.ts";
import { formatFlags } from "../../flags/suite-flags.ts";

const positionals = {
  dataset: {
    type: "string",
    describe: "A .csv, .xlsx or .jsonl, or a promptfooconfig.yaml (default: the only dataset in the folder)",
  },
} as const satisfies Positionals;

const flags = {
  ...jsonFlag,
  dir: string("what", "Folder for the suite", { value: "DIR", default: "." }),
  bots: string("what", "A folder with bots/*.yaml to ask (default: one bot is made from the sheet)", {
    value: "DIR",
  }),
  url: strings(
    "what",
    "Your bot, URL or NAME=URL: a first call is made, and the suite asks it (default: a bot on this machine). Given twice: the second is compared with the first",
    { value: "URL", nargs: 1 },
  ),
  model: string("what", "With --url: the model of a chat", { value: "NAME" }),
  body: string("what", "The body to send, with {{ input_prompt }} for the prompt", { with: "url", value: "JSON" }),
  "http-header": strings("what", "A header of its requests, 'Name: ${VARIABLE}'; repeatable", {
    with: "url",
    value: "HEADER",
    alias: "H",
    nargs: 1,
  }),
  offline: toggle("what", "Write the suite without a first call", { with: "url", more: true }),
  name: string("what", "What to call the suite (default: the dataset's name)", { value: "NAME" }),
  ...formatFlags,
  prompt: string("what", "For a sheet of variables: what is sent, such as 'Translate {{input}} to {{language}}'", {
    value: "TEXT",
  }),
  "prompt-file": strings("what", "A file with what is sent, in place of --prompt", { value: "FILE", more: true }),
  force: toggle("what", "Write over a suite and a bot that are there"),
  yes: toggle("what", "Ask nothing: what the columns look like is taken", { alias: "y" }),
} as const satisfies Flags;

export type InitFlags = Given<typeof positionals, typeof flags>;

export const initCommand = defineCommand({
  command: "init [dataset]",
  describe: "Write a suite for a sheet of prompts, with a bot to try it on",
  positionals,
  flags,
  examples: [
    ["$0 init prompts.csv", "Look at the columns, ask what is not sure, write tandem.yaml"],
    [
      "$0 init prompts.csv --url https://api.openai.com/v1 --model gpt-4.1-mini",
      "A suite for a chat, after a first call",
    ],
    ["$0 init prompts.csv --yes --dir night", "Ask nothing, write into another folder"],
  ],
  needsKeys: true,
  async run(given, terminal) {
    const { runInit } = await import("./init.run.ts");
    return runInit(given, terminal);
  },
});
