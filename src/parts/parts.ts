import { mcpPart } from "./mcp.ts";
import type { Part } from "./part.ts";
import { promptfooPart } from "./promptfoo.ts";
import { spansPart } from "./spans.ts";
import { workersPart } from "./workers.ts";

/** Every part of tandem that one can do without, in the order of the help and of the reference pages. */
export const parts: readonly Part[] = [spansPart, mcpPart, workersPart, promptfooPart];
