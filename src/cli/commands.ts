import { batchesCommand } from "./batches.ts";
import { calibrateCommand } from "./calibrate.ts";
import { compareCommand } from "./compare.ts";
import type { Command } from "./command.ts";
import { demoCommand } from "./demo.ts";
import { exportCommand } from "./export.ts";
import { doctorCommand } from "./doctor.ts";
import { initCommand } from "./init.ts";
import { labelCommand } from "./label.ts";
import { mergeCommand } from "./merge.ts";
import { pinCommand } from "./pin.ts";
import { planCommand } from "./plan.ts";
import { resumeCommand } from "./resume.ts";
import { reportCommand } from "./report.ts";
import { runCommand } from "./run.ts";
import { scoreCommand } from "./score.ts";
import { serveCommand } from "./serve.ts";
import { validateCommand } from "./validate.ts";
import { viewCommand } from "./view.ts";

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  runCommand,
  resumeCommand,
  initCommand,
  planCommand,
  validateCommand,
  doctorCommand,
  scoreCommand,
  labelCommand,
  compareCommand,
  pinCommand,
  calibrateCommand,
  reportCommand,
  exportCommand,
  batchesCommand,
  mergeCommand,
  viewCommand,
  serveCommand,
  demoCommand,
];
