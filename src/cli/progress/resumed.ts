import { counted } from "../../report/words/quantity.ts";
import { visible } from "../../report/text/visible.ts";
import type { Batch } from "../../store/batches.ts";
import type { ResumedRequests } from "../../store/journal/in-doubt.ts";
import type { Shared } from "./execute.ts";

const mostDoubts = 20;

/** Says which batch goes on, and what was in flight when its process died. */
export function announceResumed(shared: Shared, { name }: Batch, { doubts, atService }: ResumedRequests): void {
  const inDoubt = doubts.map(({ caseKey, target, attempt }) => ({ case: caseKey, target, attempt }));
  const lines = doubts
    .slice(0, mostDoubts)
    .map(({ caseKey, target, attempt }) => `  case ${visible(caseKey)} for ${visible(target)}, attempt ${attempt}`);
  if (doubts.length > mostDoubts) lines.push(`  and ${doubts.length - mostDoubts} more`);
  const title = doubts.length === 0 ? "" : `; ${counted(doubts.length, "request")} in doubt:`;
  const going = counted(atService, "run");
  const runs = atService === 0 ? "" : `; ${going} ${atService === 1 ? "is" : "are"} still at the service: `;
  const reported = atService === 0 ? "" : `${atService === 1 ? "it is" : "they are"} asked for, and not sent again`;
  shared.announce(
    { type: "resumed", batch: name, inDoubt, atService },
    [`${name}: resuming${runs}${reported}${title}`, ...lines].join("\n"),
  );
}
