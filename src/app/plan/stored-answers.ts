import { defaultEndpoint, type EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { runIdOfUrl } from "../../api/run-record.ts";
import type { Case, StoredAnswer } from "../../dataset/case.ts";
import { FeedbackScale } from "../../dataset/import/feedback.ts";
import type { StoredSource } from "../../dataset/cases/stored.ts";
import { showText } from "../../lib/show.ts";
import { fileColumn } from "../../lib/file-column.ts";
import { counted } from "../../report/say/quantity.ts";
import { rowsWords } from "../../report/say/names.ts";
import type { Connection } from "../../store/connection.ts";
import { openStoredAnswers, type StoredRecord } from "../../store/scores/stored-answers.ts";
import type { Suite } from "../../suite/suite.ts";

/** The targets of a suite whose answers are columns of the dataset. */
export function storedSources({ targets }: Pick<Suite, "targets">): StoredSource[] {
  return targets.flatMap(({ name, stored }) => (stored === undefined ? [] : [{ target: name, columns: stored }]));
}

/** Rows that are named where answers are missing. */
const mostRows = 3;

/** The answers that a dataset holds, on their way to the jobs that they end. */
export interface StoredSide {
  note: (caseId: number, row: Case) => void;
  settle: () => Promise<void>;
}

/** Keeps the stored answers of a batch while its dataset is read; null when it has no targets of that kind. */
export function openStoredSide(
  db: Connection,
  batchId: number,
  { targets }: Pick<Suite, "targets">,
  onNotice: (message: string) => void,
): StoredSide | null {
  const asked = new Map(targets.flatMap(({ name, stored, endpoint }) => (stored ? [[name, endpoint]] : [])));
  if (asked.size === 0) return null;
  const answers = openStoredAnswers(db, batchId);
  const scale = new FeedbackScale();
  const blanks = new Map<string, { count: number; rows: { row: number; file: string | null }[] }>();
  return {
    note(caseId, { stored = [], source, columns }) {
      const records = stored.map((answer) => storedRecord(asked.get(answer.target) ?? defaultEndpoint, answer));
      for (const { target, label, run, isEarlier } of records) {
        const isBlank = run === null || run.answer === "empty";
        if (label !== null && !isBlank) scale.note(label, `${source.file}:${source.line} (row ${source.row})`);
        if (!isBlank || isEarlier) continue;
        const { count, rows } = blanks.get(target) ?? { count: 0, rows: [] };
        const place = { row: source.row, file: columns[fileColumn] ?? null };
        blanks.set(target, { count: count + 1, rows: rows.length < mostRows ? [...rows, place] : rows });
      }
      answers.note(caseId, records);
    },
    async settle() {
      await answers.settle((text) => scale.read(text));
      for (const [target, { count, rows }] of blanks)
        onNotice(`${target} has no stored answer in ${rowsWords(rows, count)}.`);
      const { count, examples } = scale.unread;
      if (count === 0) return;
      const shown = examples.map(({ text, row }) => `${showText(text)} in ${row}`).join(", ");
      onNotice(
        `${counted(count, "cell")} of feedback ${count === 1 ? "says" : "say"} neither good nor bad, and became no label: ${shown}`,
      );
    },
  };
}

/** The run record that a service would have answered with. */
function storedRecord(endpoint: EndpointName, stored: StoredAnswer): StoredRecord {
  const { target, text, url, createdAt, label, note } = stored;
  const id = stored.runId ?? (url === null ? null : runIdOfUrl(url));
  if (text.trim() === "" && url === null && id === null) {
    return { target, run: null, isEarlier: stored.isEarlier === true, label, note };
  }
  const { outputOfCell, kindOf, call } = endpointOf(endpoint);
  const output = outputOfCell(text);
  const body = call.bodyOf(output, { id, url, createdAt });
  return { target, isEarlier: false, run: { id, url, createdAt, body, answer: kindOf(output) }, label, note };
}
