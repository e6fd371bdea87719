import type { Tool } from "./tool.ts";
import { batchesTool } from "./tools/batches.ts";
import { caseTool } from "./tools/case.ts";
import { comparisonTool } from "./tools/comparison.ts";
import { historyTool } from "./tools/history.ts";
import { rowsTool } from "./tools/rows.ts";

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [comparisonTool, rowsTool, caseTool, batchesTool, historyTool];
