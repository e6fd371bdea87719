import { ageOfDate } from "../../lib/clock.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { momentLabel } from "../../report/say/night-names.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import { beginNotice, endNotice, forgetDoubts, noticesBegun } from "../../store/nights/notices.ts";

/**
 * The outcome of telling people. `told`: by a way that was configured, or would have been of a change; `failed`: one of them
 * failed; `nobody`: there was no way; `before`: by a process that was killed, for sure or perhaps, so that it is not told again.
 */
export type Telling = "told" | "failed" | "nobody" | "before";

/** The entries of a notice in the database: one before it is sent, one when it is known what became of it. */
export interface NoticeBook {
  /** A process that was killed has told people of the batch: `told`, or `unsure` where it died while it did. */
  earlier: "told" | "unsure" | null;
  /** Sentences on notices of the same suite that may not have arrived: this one says so. */
  doubts: readonly string[];
  /** Enters that a notice is about to be sent: whatever becomes of this process, it is not sent a second time. */
  begin: () => void;
  /** Enters what became of it. */
  end: (telling: Telling) => void;
}

/** A notice takes no longer than this: one that was begun before is not under way any more. */
const longestMs = 60_000;

/**
 * Opens the book for the notice of a batch. People are told also where the database cannot be read or written: word of a
 * regression that comes twice after a kill is better than none.
 */
export function openNoticeBook(
  out: string,
  { batch, suite, earlier }: { batch: string; suite: string; earlier: NoticeBook["earlier"] },
): NoticeBook {
  const begun = inDatabase(out, (db) => noticesBegun(db, suite)) ?? [];
  const doubts = begun.filter(({ name, noticeAt }) => name !== batch && ageOfDate(noticeAt) > longestMs);
  return {
    earlier,
    doubts: doubts.map(
      ({ name, startedAt }) =>
        `The notice of ${momentLabel(startedAt)} may not have arrived, as its process ended while it was sent: \`tandem report ${shellWord(name)}\``,
    ),
    begin: () => void inDatabase(out, (db) => beginNotice(db, batch, Date.now())),
    end(telling) {
      if (telling === "before") return;
      inDatabase(out, (db) => {
        endNotice(db, batch, { at: telling === "failed" ? null : Date.now(), isNotified: telling === "told" });
        if (telling === "told") forgetDoubts(db, doubts);
      });
    },
  };
}

/** Does something with the database of a results folder; null where it is gone, or cannot be written: the next to look at it learns of that. */
export function inDatabase<Result>(out: string, work: (db: Connection) => Result): Result | null {
  try {
    using db = openDatabase(databasePath(out), { mustExist: true });
    return work(db);
  } catch {
    return null;
  }
}
