import { defineCommand, jsonFlag } from "../../command.ts";
import { formatFlags } from "../../flags/suite-flags.ts";

export const initCommand = defineCommand({
  command: "init [dataset]",
  describe: "Write a suite for a sheet of prompts, with a bot to try it on",
  positionals: {
    dataset: {
      type: "string",
      describe: "A .csv, .xlsx or .jsonl, or a promptfooconfig.yaml (default: the only dataset in the folder)",
    },
  },
  flags: {
    ...jsonFlag,
    dir: {
      group: "what",
      value: "DIR",
      type: "string",
      default: ".",
      describe: "Folder for the suite; nothing in it is overwritten",
    },
    bots: {
      group: "what",
      value: "DIR",
      type: "string",
      describe: "A folder with bots/*.yaml to ask (default: one bot is made from the sheet)",
    },
    url: {
      group: "what",
      value: "URL",
      type: "string",
      array: true,
      nargs: 1,
      default: [],
      describe:
        "Your bot, URL or NAME=URL: a first call is made, and the suite asks it (default: a bot on this machine). Given twice: the second is compared with the first",
    },
    model: { group: "what", value: "NAME", type: "string", describe: "With --url: the model of a chat" },
    body: {
      group: "what",
      value: "JSON",
      type: "string",
      describe: "With --url: the body to send, with {{ input_prompt }} for the prompt",
    },
    name: {
      group: "what",
      value: "NAME",
      type: "string",
      describe: "What to call the suite (default: the dataset's name)",
    },
    ...formatFlags,
    prompt: {
      group: "what",
      value: "TEXT",
      type: "string",
      describe: "For a sheet of variables: what is sent, such as 'Translate {{input}} to {{language}}'",
    },
    "prompt-file": {
      group: "what",
      value: "FILE",
      more: true,
      type: "string",
      describe: "A file with what is sent, in place of --prompt",
    },
    yes: {
      group: "what",
      alias: "y",
      type: "boolean",
      default: false,
      describe: "Ask nothing: what the columns look like is taken",
    },
  },
  examples: [
    ["$0 init prompts.csv", "Look at the columns, ask what is not sure, write tandem.yaml"],
    [
      "$0 init prompts.csv --url https://api.openai.com/v1 --model gpt-4.1-mini",
      "A suite for a chat, after a first call",
    ],
    ["$0 init prompts.csv --yes --dir night", "Ask nothing, write into another folder"],
  ],
  needsKeys: true,
  async run(flags, terminal) {
    const { runInit } = await import("./init.run.ts");
    return runInit(flags, terminal);
  },
});
