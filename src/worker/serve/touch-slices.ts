import { touchFetched } from "../postgres/queues.ts";
import type { SliceRun } from "./slice-run.ts";
import type { Tools } from "./tools.ts";

/** Gives a sign for each slice; one that another worker has by now is left. `isHere`: it has not ended meanwhile. */
export async function touchSlices(
  { db, link, tell }: Pick<Tools, "db" | "link" | "tell">,
  slices: readonly SliceRun[],
  isHere: (slice: SliceRun) => boolean,
): Promise<void> {
  for (const queue of new Set(slices.map((slice) => slice.queue))) {
    const own = slices.filter((slice) => slice.queue === queue);
    const fetched = own.map((slice) => slice.fetched);
    const kept = await link.patiently(() => touchFetched(db, queue, fetched));
    for (const slice of own) {
      if (kept.has(slice.fetched.id) || !isHere(slice)) continue;
      tell(`${slice.batch}: another worker has taken over a slice`);
      slice.leave("another worker has taken it over");
    }
  }
}
