import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import { attemptMs } from "../../lib/duration.ts";
import type { Reporter } from "../../report/shape/reporter.ts";
import type { ReportRow, RunAttempt } from "../../report/shape/row.ts";
import type { Connection } from "../../store/connection.ts";
import { attemptsOfJob, type StoredAttempt } from "../../store/results/attempts.ts";

/** Adds to the runs of rows every attempt, where it took more than one. */
export function attemptsInRow(db: Connection): (row: ReportRow) => ReportRow {
  const attemptsOf = attemptsOfJob(db);
  return (row) => {
    if (row.sides.every(({ runs }) => runs.every(({ attempts }) => attempts < 2))) return row;
    const sides = row.sides.map((side) => ({
      ...side,
      runs: side.runs.map((run) =>
        run.attempts < 2 ? run : { ...run, tries: attemptsOf(run.jobId).map(shownAttempt) },
      ),
    }));
    return { ...row, sides };
  };
}

export function withAttempts(db: Connection, reporter: Reporter): Reporter {
  const complete = attemptsInRow(db);
  return { ...reporter, add: (row) => reporter.add(complete(row)) };
}

function shownAttempt(attempt: StoredAttempt): RunAttempt {
  const { number, status, error, possiblyPaid, queuedAt, sentAt, doneAt } = attempt;
  const tookMs = attemptMs(sentAt, doneAt);
  return { number, outcome: sideOutcome(attempt), status, error, possiblyPaid, at: sentAt ?? queuedAt, tookMs };
}
