import { sentenceList } from "../../../lib/sentence-list.ts";
import { dayLabel } from "../../../report/say/night-names.ts";
import { visible } from "../../../report/text/visible.ts";
import { counted } from "../../../report/say/quantity.ts";
import type { RemotePrune } from "../../../worker/watch/prune.ts";

/** Shows what would be removed from the workers' database, and what stays there although it is old. */
export function oldAtWorkersText(found: RemotePrune): string {
  const { going, staying } = found;
  const stays = staying.map(({ name, reason }) => `Stays: ${visible(name)} (${visible(reason)})`);
  const sum = sumOf(found);
  if (sum === "") return ["Nothing is to be removed.", ...stays].join("\n");
  const width = Math.max(0, ...going.map(({ name }) => visible(name).length));
  const rows = going.map(({ name, createdAt, state, done, jobs }) => {
    const day = dayLabel(createdAt);
    const how = `${state === "finished" ? "" : `${state}, `}${done}/${jobs} jobs`;
    return `  ${visible(name).padEnd(width)}  ${day}  ${how}`;
  });
  const what = "To be removed from the workers' database; what was brought stays with those who have brought it:";
  return [what, ...rows, `In all ${sum}.`, ...stays].join("\n");
}

/** Says what was removed; what stayed has been shown, but for batches that somebody went on with meanwhile. */
export function removedAtWorkersText(removed: RemotePrune, database: string): string {
  return `Removed ${sumOf(removed) || "nothing"} from ${visible(database)}. PostgreSQL uses the room again.`;
}

function sumOf({ going, workers }: RemotePrune): string {
  const parts = [
    ...(going.length > 0 ? [counted(going.length, "batch", "batches")] : []),
    ...(workers > 0 ? [`${counted(workers, "worker")} that ${workers === 1 ? "has" : "have"} gone`] : []),
  ];
  return sentenceList(parts);
}
