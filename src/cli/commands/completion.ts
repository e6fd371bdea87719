import { basename } from "node:path";
import { AppError } from "../../errors.ts";
import { defineCommand, jsonFlag } from "../command.ts";
import type { JsonData } from "../json-outputs.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completionCommand = defineCommand({
  command: "completion [shell]",
  describe: "Print the script that completes commands, flags and their words",
  positionals: {
    shell: { choices: shells, describe: "bash, zsh or fish (default: that of $SHELL)" },
  },
  flags: jsonFlag,
  examples: [
    ["source <($0 completion bash)", "In ~/.bashrc"],
    ["source <($0 completion zsh)", "In ~/.zshrc, below compinit"],
    ["$0 completion fish > ~/.config/fish/completions/tandem.fish", "Once, in fish"],
  ],
  async run(flags) {
    const own = basename(process.env["SHELL"] ?? "");
    const shell = flags.shell ?? shells.find((each) => each === own);
    if (shell === undefined) {
      throw new AppError("USAGE", "completion needs the name of a shell.", {
        hint: `Add one of: ${shells.join(", ")}.`,
      });
    }
    const script = await completionScript(shell);
    return { data: { shell, script } satisfies JsonData["completion"], text: script.trimEnd() };
  },
});

/** The script of a shell, as yargs writes it. It asks the command that is found by its name. */
async function completionScript(shell: string): Promise<string> {
  const { default: yargs } = await import("yargs");
  // yargs writes for the shell that the environment names.
  process.env["SHELL"] = shell;
  const { promise, resolve } = Promise.withResolvers<string>();
  const parser = yargs().scriptName("tandem").exitProcess(false).completion("completion");
  await parser.parse(["completion"], {}, (_error, _given, output) => resolve(output));
  return promise;
}
