import { basename } from "node:path";
import { AppError } from "../../errors.ts";
import { defineCommand, jsonFlag } from "../command.ts";
import { completionScripts, shells } from "../completion/scripts.ts";
import type { JsonOutputs } from "../json-outputs.ts";

export const completionCommand = defineCommand({
  command: "completion [shell]",
  describe: "Print the script that completes commands, flags, batches, files",
  positionals: {
    shell: { choices: shells, describe: "bash, zsh, fish or powershell (default: that of $SHELL)" },
  },
  flags: jsonFlag,
  examples: [
    ["source <($0 completion bash)", "In ~/.bashrc"],
    ["source <($0 completion zsh)", "In ~/.zshrc, below compinit"],
    ["$0 completion fish > ~/.config/fish/completions/tandem.fish", "Once, in fish"],
    ["$0 completion powershell | Out-String | Invoke-Expression", "In the file that $PROFILE of PowerShell names"],
  ],
  async run(flags) {
    const own = basename(process.env["SHELL"] ?? "");
    const shell = flags.shell ?? shells.find((each) => each === own);
    if (shell === undefined) {
      throw new AppError("USAGE", "completion needs the name of a shell.", {
        hint: `Add one of: ${shells.join(", ")}.`,
      });
    }
    const script = completionScripts[shell];
    return { data: { version: 1, shell, script } satisfies JsonOutputs["completion"], text: script.trimEnd() };
  },
});
