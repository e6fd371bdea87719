import { defineCommand, resultsFlag } from "../command.ts";

export const mcpCommand = defineCommand({
  command: "mcp",
  describe: "Let an agent read the results (Model Context Protocol): read only",
  positionals: {},
  flags: resultsFlag,
  examples: [
    [
      "claude mcp add tandem -- npx --no-install $0 mcp",
      "In Claude Code; docs/guides/results-elsewhere.md has other clients",
    ],
    ["$0 mcp --results nightly", "Over another folder"],
  ],
  async run(flags, terminal) {
    const { serveMcp } = await import("../../mcp/server.ts");
    await serveMcp({
      out: flags.results,
      input: process.stdin,
      // Messages only: JSON escapes what a terminal obeys, and nobody may change a byte.
      write: (line) => void process.stdout.write(`${line}\n`),
      note: terminal.note,
    });
    return {};
  },
});
