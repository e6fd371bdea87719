import { shellWord } from "../../lib/shell-word.ts";
import { visible } from "../../report/text/visible.ts";
import { counted } from "../../report/say/quantity.ts";
import type { RunNews } from "../../app/context.ts";
import type { Accepted } from "../../app/plan/accept-changes.ts";
import type { PreparedBatch } from "../../app/plan/prepare.ts";
import type { Batch } from "../../store/batches.ts";
import type { ResumedRequests } from "../../store/journal/in-doubt.ts";
import type { Suite } from "../../suite/suite.ts";
import type { RunEvent } from "./events.ts";
import { mappingSummaryLines, sheetLines } from "./mapping-summary.ts";

const mostDoubts = 20;

interface Audience {
  suite: Suite;
  announce: (event: RunEvent, line: string) => void;
  onNotice: (message: string) => void;
}

/** Says what becomes of a batch, to people and to programs. */
export function announceNews(news: RunNews, { suite, announce, onNotice }: Audience): void {
  if (news.type === "planned") {
    const { batch, cases, jobs, stored } = news.prepared;
    announce({ type: "planned", batch: batch.name, cases, jobs: jobs - stored }, preparedLines(news.prepared, suite));
  } else if (news.type === "accepted") {
    for (const line of acceptedLines(news.accepted)) onNotice(line);
  } else if (news.type === "asked-again") {
    const { sentence, ...event } = news;
    announce(event, sentence);
  } else {
    const { doubts, atService } = news.requests;
    const inDoubt = doubts.map(({ caseKey, target, attempt }) => ({ case: caseKey, target, attempt }));
    announce({ type: "resumed", batch: news.batch.name, inDoubt, atService }, resumedLines(news.batch, news.requests));
  }
}

/** Says what is asked anew by a suite that has changed, and what is skipped. */
function acceptedLines({ changes, skipped, renewed }: Accepted): string[] {
  if (changes.length === 0) return renewed;
  const lines = ["Changed since the batch was planned:", ...changes.map((line) => `  ${line}`)];
  return [...renewed, [...lines, `${counted(skipped, "job")} skipped; what is new is not run.`].join("\n")];
}

/** Says which batch goes on, and what was in flight when its process died. */
function resumedLines({ name }: Batch, { doubts, atService }: ResumedRequests): string {
  const lines = doubts
    .slice(0, mostDoubts)
    .map(({ caseKey, target, attempt }) => `  case ${visible(caseKey)} for ${visible(target)}, attempt ${attempt}`);
  if (doubts.length > mostDoubts) lines.push(`  and ${doubts.length - mostDoubts} more`);
  const title = doubts.length === 0 ? "" : `; ${counted(doubts.length, "request")} in doubt:`;
  const going = counted(atService, "run");
  const runs = atService === 0 ? "" : `; ${going} ${atService === 1 ? "is" : "are"} still at the service: `;
  const reported = atService === 0 ? "" : `${atService === 1 ? "it is" : "they are"} asked for, and not sent again`;
  return [`${name}: resuming${runs}${reported}${title}`, ...lines].join("\n");
}

/**
 * The batch that is about to be sent: the sheet as it was understood, then what is sent of it. Where nothing is sent it is two
 * lines: the verdict follows at once, and says itself what so many rows show.
 */
function preparedLines(prepared: PreparedBatch, suite: Suite): string {
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
  return `${batch.name}: ${counted(cases, "row")} for ${names}${times}${noise} = ${sent}${answers}`;
}
