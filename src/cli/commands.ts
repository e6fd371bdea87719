import { batchesCommand } from "./commands/batches/batches.ts";
import { checkCommand } from "./commands/check/check.ts";
import { compareCommand } from "./commands/compare.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "./commands/completion.ts";
import { demoCommand } from "./commands/demo.ts";
import { exportCommand } from "./commands/export.ts";
import { historyCommand } from "./commands/history/history.ts";
import { initCommand } from "./commands/init/init.ts";
import { judgeCommand } from "./commands/judge/judge.ts";
import { labelCommand } from "./commands/label/label.ts";
import { nightCommand } from "./commands/night/night.ts";
import { mergeCommand } from "./commands/merge.ts";
import { pinCommand } from "./commands/pin/pin.ts";
import { resumeCommand } from "./commands/resume/resume.ts";
import { reportCommand } from "./commands/report.ts";
import { runCommand } from "./commands/run/run.ts";
import { scoreCommand } from "./commands/score/score.ts";
import { serveCommand } from "./commands/serve.ts";
import { viewCommand } from "./commands/view.ts";
import { parts } from "../parts/parts.ts";

const ofParts = (await Promise.all(parts.map(async ({ commands: load }) => (await load?.()) ?? []))).flat();

/** Commands by the question that they answer, in the order of the help. */
export const commandGroups: Readonly<Record<string, readonly Command[]>> = {
  "To start": [demoCommand, initCommand, checkCommand, serveCommand],
  "To run": [runCommand, resumeCommand, nightCommand, mergeCommand],
  "To look": [viewCommand, compareCommand, reportCommand, exportCommand, historyCommand, batchesCommand, pinCommand],
  "To grade": [scoreCommand, labelCommand, judgeCommand],
  More: [...ofParts, completionCommand],
};

/** Every command, in the order of the help. */
export const commands: readonly Command[] = Object.values(commandGroups).flat();
