import type { InferredOptionTypes } from "yargs";
import { notifyFlags } from "./notify-flags.ts";
import { outputFlags } from "./output-flags.ts";
import { againstFlag, codeFlag, inDoubtFlag, preflightFlag, sendFlags } from "./run-flags.ts";
import { suiteFlags } from "./suite-flags.ts";
import { workersFlags } from "./workers-flags.ts";

/** Flags of every command that runs a suite to its verdict, and goes on with one that was cut off. */
export const batchFlags = {
  ...sendFlags,
  ...outputFlags,
  ...notifyFlags,
  ...suiteFlags,
  ...againstFlag,
  ...inDoubtFlag,
  ...codeFlag,
  ...preflightFlag,
  ...workersFlags,
} as const;

/** `path` is left out where the suite of the working folder is meant. */
export type BatchFlags = InferredOptionTypes<typeof batchFlags> & { path?: string | undefined };
