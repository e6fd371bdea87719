import { existsSync } from "node:fs";
import { AppError } from "../../../errors.ts";
import { againstItself } from "../../../app/calibrate/against-itself.ts";
import { type Calibration, type CalibrateRequest, calibrateGates } from "../../../app/calibrate/calibrate.ts";
import type { Conclusion } from "../../../app/report/conclude.ts";
import { runSuite } from "../../../app/run.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import { usedDeployments } from "../../../suite/used.ts";
import { calibrationText } from "./calibrate.text.ts";
import { runWithProgress } from "../../progress/execute.ts";
import { plannedEvent, preparedLines } from "../../progress/prepared.ts";
import type { SendFlags } from "../../flags/run-flags.ts";
import type { SuiteFlags } from "../../flags/suite-flags.ts";
import { preparationFrom, suiteFrom } from "../../flags/suite-source.ts";
import type { Terminal } from "../../terminal.ts";
import type { JsonOutputs } from "../../json-outputs.ts";

type CalibrateFlags = SendFlags &
  Omit<SuiteFlags, "path"> & {
    reference: string;
    drop: readonly (string | number)[];
    repetitions?: number | undefined;
    run: boolean;
  };

/** Replays what is stored, after the runs for it were sent where that is asked for. */
export async function calibrateOnce(flags: CalibrateFlags, terminal: Terminal): Promise<number> {
  const request = requestOf(flags);
  if (flags.run) return runThenCalibrate(flags, request, terminal);
  if (/\.ya?ml$/i.test(flags.reference) && existsSync(flags.reference)) {
    throw new AppError("USAGE", `${flags.reference} is a file, and stored runs are named by their suite or batch.`, {
      hint: "Give the suite's name; or add --run, to send the runs that it takes first.",
    });
  }
  tell(terminal, flags.json, calibration(flags.results, request));
  return 0;
}

function requestOf(flags: CalibrateFlags): CalibrateRequest {
  const { drop, target, reference, seed } = flags;
  const repetitions = flags.repetitions ?? null;
  const drops = drop.map(Number);
  if (drops.some((one) => !(one > 0))) throw new AppError("USAGE", "--drop takes a number above 0, such as 0.05.");
  if (repetitions !== null && !(Number.isInteger(repetitions) && repetitions >= 1)) {
    throw new AppError("USAGE", `--repetitions takes a whole number of 1 or more; got ${repetitions}.`);
  }
  if (target.length > 1) throw new AppError("USAGE", "--target takes one target here.");
  return { reference, target: target[0] ?? null, drops, repetitions, seed };
}

function calibration(out: string, request: CalibrateRequest): Calibration {
  using db = openDatabase(databasePath(out), { reading: true });
  return calibrateGates(db, request);
}

function tell(terminal: Terminal, json: boolean, found: Calibration): void {
  terminal.print(
    json
      ? JSON.stringify({ version: 1, ...found } satisfies JsonOutputs["calibrate"], null, 2)
      : calibrationText(found),
  );
}

async function runThenCalibrate(flags: CalibrateFlags, request: CalibrateRequest, terminal: Terminal): Promise<number> {
  // The target is found later: the suite as it is written says which ones are compared.
  const source = await suiteFrom({ ...flags, path: flags.reference, target: [] }, terminal);
  const own = againstItself(source.suite, request.target);
  const suite = { ...own, deployments: usedDeployments(own) };
  const onNotice = (message: string): void => terminal.note(message);
  const preparation = preparationFrom({ ...flags, path: flags.reference, target: [] }, { ...source, onNotice });
  return runWithProgress<Conclusion>({
    terminal,
    flags,
    suite,
    trust: source.trust,
    work: (shared) =>
      runSuite({
        ...shared,
        ...preparation,
        suite,
        trust: source.trust,
        out: flags.results,
        against: null,
        onPrepared: (prepared) => shared.announce(plannedEvent(prepared), preparedLines(prepared, suite)),
      }),
    tell: async ({ summary: { batch, state, next }, exitCode }, interrupted) => {
      if (state === "finished")
        tell(terminal, flags.json, calibration(flags.results, { ...request, reference: batch }));
      else {
        terminal.note(`${batch} is not finished, and nothing was calibrated: ${next ?? `tandem resume ${batch}`}`);
        terminal.note(`then: tandem calibrate ${batch}`);
      }
      return { batch, state, exitCode: interrupted ?? (state === "finished" ? 0 : exitCode) };
    },
  });
}
