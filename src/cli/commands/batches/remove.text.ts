import { dayLabel } from "../../../report/say/night-names.ts";
import type { Removal } from "../../../app/batches/remove-batches.ts";
import { visible } from "../../../report/text/visible.ts";

/** A batch that would go. */
interface GoingRow {
  name: string;
  createdAt: number;
  state: string;
  reason: string | null;
  jobs: number;
}

/** The batches that would be removed, and those that stay although they were chosen. */
export function batchesRemovalText(rows: readonly GoingRow[], { staying }: Pick<Removal, "staying">): string {
  const width = Math.max(...rows.map(({ name }) => visible(name).length));
  const lines = rows.map(({ name, createdAt, state, reason, jobs }) => {
    const day = dayLabel(createdAt);
    const why = reason === null ? "" : `  ${visible(reason)}`;
    return `  ${visible(name).padEnd(width)}  ${day}  ${state === "finished" ? "" : `${state}, `}${jobs} jobs${why}`;
  });
  return ["To be removed, with their answers, scores and labels:", ...lines, ...stayingLines(staying)].join("\n");
}

export function nothingGoesText({ staying }: Pick<Removal, "staying">): string {
  return ["Nothing is to be removed.", ...stayingLines(staying)].join("\n");
}

function stayingLines(staying: Removal["staying"]): string[] {
  return staying.map(({ batch, reason }) => `Stays: ${visible(batch.name)} (${visible(reason)})`);
}

/** `freed`: bytes given back to the disk; null: later. */
export function batchesRemovedText(count: number, freed: number | null): string {
  const room =
    freed === null
      ? "Another process holds the database, or the disk is full: the room is used again, but not given back now."
      : `${(freed / 1_000_000).toFixed(1)} MB were given back to the disk.`;
  return `Removed ${count === 1 ? "1 batch" : `${count} batches`}. ${room} Their report folders stay.`;
}
