import { AppError } from "../../../errors.ts";
import { planSuite, type SuitePlan } from "../../../app/plan/estimate.ts";
import { expectStopping } from "../../../app/live/expect-stopping.ts";
import { planPower, type PowerPlan } from "../../../app/plan/power.ts";
import { databasePath } from "../../../store/database.ts";
import { resolveKey } from "../../../suite/key.ts";
import type { Suite } from "../../../suite/suite.ts";
import type { SuiteFlags } from "../../flags/suite-flags.ts";
import { preparationFrom, suiteFrom } from "../../flags/suite-source.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { beyondLimit } from "../../progress/approval.ts";
import { planText } from "./plan.text.ts";
import type { JsonOutputs } from "../../json-outputs.ts";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passingMark, removeLeftovers } from "../../../lib/leftovers.ts";
import { codeOfSignal, endingSignals } from "../../signals/ending-signals.ts";

type PlanFlags = SuiteFlags & {
  results: string;
  json: boolean;
  show?: string | undefined;
  power?: boolean | undefined;
  drop?: number | undefined;
  discordant?: number | undefined;
  /** Reference of a run; `plan` has none. */
  against?: string | undefined;
};

/** Plans and prints: what `tandem plan` and `run --dry-run` do. */
export async function printPlan(flags: PlanFlags, terminal: Terminal): Promise<CommandResult> {
  const { suite, ...source } = await suiteFrom(flags, terminal);
  const options = preparationFrom(flags, { ...source, onNotice: (message) => terminal.note(message) });
  const database = databasePath(flags.results);
  const show = flags.show ?? null;
  const plan = await withScratch((scratch) =>
    planSuite({ ...options, suite, scratch, database, show, env: process.env, against: flags.against ?? null }),
  );
  const warnings = [...keyFaults(suite), ...plan.warnings];
  const power = powerOf(flags, { plan, suite, database });
  const stop = expectStopping(suite, plan);
  const data = {
    version: 1 as const,
    ...plan,
    ...(power !== null && { power }),
    ...(stop !== null && { stop }),
    warnings,
  } satisfies JsonOutputs["plan"];
  const words = beyondLimit(suite, { limit: source.targetLimit, ...plan });
  if (!flags.json && words !== null) terminal.note(`${words} A run asks before it sends them, or wants --yes.`);
  if (!flags.json) for (const line of warnings) terminal.note(`${terminal.style("yellow", "warning")} ${line}`);
  return { data, text: planText(plan, suite, { power, stop }) };
}

function powerOf(
  flags: PlanFlags,
  { plan, suite, database }: { plan: SuitePlan; suite: Suite; database: string },
): PowerPlan | null {
  const [drop, discordant] = [flags.drop ?? null, flags.discordant ?? null];
  if (flags.power !== true && drop === null && discordant === null) return null;
  const judged = plan.judges.flatMap(({ cost }) => cost ?? []);
  const judgeCost = judged.length === 0 ? null : judged.reduce((sum, cost) => sum + cost, 0);
  return planPower({ ...plan, suite, database, drop, discordant, judgeCost });
}

/** Keys that a run would miss: a plan needs none. */
function keyFaults({ deployments }: Suite): string[] {
  return deployments.flatMap((deployment) => {
    try {
      resolveKey(deployment, process.env);
      return [];
    } catch (error) {
      if (error instanceof AppError) return [[error.message, error.hint].join(" ")];
      throw error;
    }
  });
}

/** Runs work with a private folder that is gone afterwards, also when Ctrl-C or SIGTERM ends the command. */
async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  removeLeftovers(tmpdir());
  const folder = join(tmpdir(), `tandem-scratch-${passingMark()}`);
  mkdirSync(folder, { mode: 0o700 });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals): void => {
    remove();
    process.exit(codeOfSignal(signal));
  };
  for (const signal of endingSignals) process.once(signal, end);
  try {
    return await work(folder);
  } finally {
    for (const signal of endingSignals) process.off(signal, end);
    remove();
  }
}
