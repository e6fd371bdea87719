import { shellWord } from "../../lib/shell-word.ts";
import { visible } from "../../report/text/visible.ts";
import { counted } from "../../report/words/quantity.ts";
import type { PreparedBatch } from "../../app/plan/prepare.ts";
import type { Suite } from "../../suite/suite.ts";
import type { RunEvent } from "./events.ts";
import { mappingSummaryLines, sheetLines } from "./mapping-summary.ts";

/** The batch that is about to be sent, for programs. */
export function plannedEvent({ batch, cases, jobs, stored }: PreparedBatch): RunEvent {
  return { type: "planned", batch: batch.name, cases, jobs: jobs - stored };
}

/**
 * The batch that is about to be sent: the sheet as it was understood, then what is sent of it. Where nothing is sent it is two
 * lines: the verdict follows at once, and says itself what so many rows show.
 */
export function preparedLines(prepared: PreparedBatch, suite: Suite): string {
  const { files, groupFaults, rowsShow } = prepared;
  const isStored = prepared.jobs === prepared.stored;
  const sheet = isStored ? sheetLines(files, suite) : mappingSummaryLines(files, suite);
  return [
    ...sheet,
    sentLine(prepared, suite),
    ...newJudgeLines(prepared),
    ...groupFaults,
    ...(isStored ? [] : rowsShow),
  ].join("\n");
}

/** At the first use of a judge, one line for all of them. */
function newJudgeLines({ newJudges: [first, ...more] }: PreparedBatch): string[] {
  if (first === undefined) return [];
  const names = [first, ...more].map((name) => visible(name)).join(", ");
  return [
    `judged for the first time: ${names}; see afterwards if the judge is any good: tandem judge check ${shellWord(first)}`,
  ];
}

function sentLine({ batch, cases, jobs, stored }: PreparedBatch, { targets, repeats, compare }: Suite): string {
  const names = targets.map(({ name }) => name).join(", ");
  const times = repeats > 1 ? `, ${repeats} times each` : "";
  const isAsked = targets.some(({ name, stored: columns }) => name === compare?.baseline && columns === undefined);
  const noise =
    compare !== null && compare.noiseRepeats > repeats && isAsked
      ? ` (${compare.baseline} ${compare.noiseRepeats} times, to know how much it varies by itself)`
      : "";
  const sent = counted(jobs - stored, "job");
  const answers = stored === 0 ? "" : ` and ${counted(stored, "stored answer")}`;
  return `${batch.name}: ${counted(cases, "case")} for ${names}${times}${noise} = ${sent}${answers}`;
}
