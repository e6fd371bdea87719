import type { Part } from "./part.ts";

/** The results for agents, by the Model Context Protocol. */
export const mcpPart = {
  name: "mcp",
  commands: async () => [(await import("../cli/commands/mcp.ts")).mcpCommand],
} satisfies Part;
