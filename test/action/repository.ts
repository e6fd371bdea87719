import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { record, startService } from "../e2e/service.ts";
import { cached, command, roomy, Tandem } from "../e2e/tandem.ts";

/** The ways of the bot: whether it fails, and who is told of each prompt. */
interface Bot {
  fails: boolean;
  onPrompt: () => void;
}

/** A repository with a suite, the pin of a bot that answers everything, and a bot that now answers as it is told. */
export async function repository(): Promise<{
  tandem: Tandem;
  bot: Bot;
  env: Record<string, string>;
  commands: string;
}> {
  const bot: Bot = { fails: false, onPrompt: () => undefined };
  const { url } = await startService(({ prompt }) => {
    bot.onPrompt();
    return record(bot.fails ? "I do not know" : `nine: ${prompt}`);
  });
  const rows = Array.from({ length: 70 }, (_, place) => `k${place},prompt ${place},nine`);
  const tandem = new Tandem().file("prompts.csv", `id,input_prompt,expected\n${rows.join("\n")}\n`).file(
    "bots/suite.yaml",
    `dataset: ../prompts.csv
deployments: { prod: { base_url: ${url} } }
targets: { assistant: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: [{ type: icontains }]
`,
  );
  const commands = join(tandem.folder, "commands");
  mkdirSync(commands);
  writeFileSync(join(commands, "tandem"), `#!/bin/sh\nexec "${process.execPath}" ${roomy} "${command}" "$@"\n`);
  writeFileSync(join(commands, "node"), `#!/bin/sh\nexec "${process.execPath}" ${roomy} "$@"\n`);
  for (const name of ["tandem", "node"]) chmodSync(join(commands, name), 0o755);
  const env = {
    ...cached,
    TANDEM_API_KEY: "sk-test-0123456789",
    GITHUB_REPOSITORY: "owner/bots",
    GITHUB_SERVER_URL: "https://github.test",
    GITHUB_RUN_ID: "55",
  };
  return { tandem, bot, env, commands };
}
