import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { acknowledgeChange, momentOf, takeBack } from "../../../app/history/acknowledge.ts";
import { judgesWatched } from "../../../app/judge/judge-watch.ts";
import { historyOf } from "../../../app/history/history.ts";
import { exportTable, type TableExport } from "../../../app/report/export-table.ts";
import { AppError } from "../../../errors.ts";
import { timedHistory } from "../../../report/model/timed-alarm.ts";
import { openRegressions } from "../../../app/history/past.ts";
import type { JudgeWatch } from "../../../report/shape/judge-watch.ts";
import type { SuiteHistory } from "../../../report/shape/history.ts";
import { tableOfHistory } from "../../../report/tables/history-table.ts";
import type { Connection } from "../../../store/connection.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import type { OpenRegressions } from "../../../report/say/nights.ts";
import { dayLabel } from "../../../report/say/night-names.ts";
import { counted } from "../../../report/say/quantity.ts";
import { findBatch, listBatches } from "../../../store/batches.ts";
import type { Suite } from "../../../suite/suite.ts";
import { knownPath } from "../../../store/read-only-folder.ts";
import { suiteFileName } from "../../../suite/file-name.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { sentenceList } from "../../../lib/sentence-list.ts";
import { suiteNameIn } from "../../../suite/load.ts";
import { needOneDocument } from "../../flags/output-flags.ts";
import { tableExport } from "../../flags/export-options.ts";
import { suiteHere } from "../../flags/suite-path.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { acknowledgedText, historyText } from "./history.text.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { HistoryFlags } from "./history.ts";

/** Prints or writes the history of a suite; with --acknowledge it first stores what is known. */
export async function showHistory(flags: HistoryFlags, terminal: Terminal): Promise<CommandResult> {
  const isShown = shownNights(flags);
  const acknowledge = acknowledgement(flags);
  const table = tableFrom(flags);
  if (flags.output !== undefined) needOneDocument(flags.json, [flags.output]);
  const named = flags.suite ?? suiteHere(terminal) ?? onlySuite(flags.results, terminal);
  const suite = /\.ya?ml$/i.test(named) ? await suiteNameIn(named) : named;
  const reading = acknowledge === null;
  using db = openDatabase(databasePath(flags.results), reading ? { reading, evenIfFull: true } : { mustExist: true });
  const whole = historyOf(db, suite);
  if (whole.nights.length === 0) throw unknownSuite(db, suite);
  acknowledge?.(db, suite);
  const history = reading ? whole : historyOf(db, suite);
  return await resultOf(
    { ...history, nights: isShown(history.nights) },
    {
      ...flags,
      table,
      open: openRegressions(history),
      judges: judgesWatched(db, suite),
      form: findBatch(db, whole.nights.at(-1)?.batch ?? "").suite,
    },
    terminal,
  );
}

async function resultOf(
  history: SuiteHistory,
  flags: HistoryFlags & {
    table: TableExport | null;
    open: OpenRegressions | null;
    judges: JudgeWatch[];
    form: Pick<Suite, "csv">;
  },
  terminal: Terminal,
): Promise<CommandResult> {
  const { table, acknowledge, judges, open } = flags;
  if (table !== null) {
    await exportTable(tableOfHistory(history), table, flags.form);
    if (table.path === "-") return {};
    terminal.note(`${table.path}: ${counted(history.nights.length, "run")} of ${history.suite}`);
  }
  const data = { ...timedHistory(history), judges } satisfies JsonData["history"];
  if (acknowledge !== undefined)
    return { data, text: acknowledgedText(history, dayLabel(momentOf(acknowledge, "--acknowledge"))) };
  if (table !== null) return { data };
  return {
    data,
    text: historyText(history, { width: terminal.columns, color: terminal.color.out, open, judges }),
  };
}

/** The table that is wanted, its form by the name of the file. */
function tableFrom({ output, format, excel }: HistoryFlags): TableExport | null {
  if (output === undefined) return null;
  const flags = { output, format, excel, where: [], raw: false };
  return tableExport(flags, { env: process.env, isTerminal: process.stdout.isTTY });
}

/** Checks the flags before anything is opened. */
function shownNights({ last, since }: HistoryFlags): (nights: SuiteHistory["nights"]) => SuiteHistory["nights"] {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : momentOf(since, "--since");
  return (nights) => {
    const later = nights.filter(({ at }) => at >= from);
    return last === undefined ? later : later.slice(-last);
  };
}

function acknowledgement(flags: HistoryFlags): ((db: Connection, suite: string) => void) | null {
  const { acknowledge, remove, note, author } = flags;
  if (acknowledge === undefined) return null;
  const since = momentOf(acknowledge, "--acknowledge");
  if (remove) return (db, suite) => takeBack(db, suite, since);
  const at = Date.now();
  return (db, suite) => acknowledgeChange(db, suite, { since, note, author: author ?? userName(), at });
}

/** A container may have a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

/** The suite of a results folder with batches of one alone, which is said. Throws SUITE_NOT_FOUND. */
function onlySuite(results: string, terminal: Terminal): string {
  const path = databasePath(results);
  const names: string[] = [];
  if (existsSync(path)) {
    using db = openDatabase(path, { reading: true, evenIfFull: true });
    names.push(...new Set(listBatches(db).map(({ suite }) => suite.name)));
  }
  const [only] = names;
  if (only === undefined || names.length > 1)
    throw new AppError("SUITE_NOT_FOUND", `No suite is named, and there is no ${suiteFileName} in this folder.`, {
      hint:
        only === undefined
          ? `There are no batches in ${results} either: --results names another folder.`
          : `Name one that has batches in ${results}: tandem history ${shellWord(only)}, or ${sentenceList(names.slice(1, mostNamed).map(shellWord), "or")}.`,
    });
  terminal.note(`suite: ${only}, the only one in ${results}`);
  return only;
}

const mostNamed = 10;

function unknownSuite(db: Connection, suite: string): AppError {
  return new AppError("BATCH_NOT_FOUND", `There is no batch of a suite "${suite}" in ${knownPath(db.name)}.`, {
    hint: "`tandem batches` lists what is there; --results names another folder.",
  });
}
