import type { SliceRun } from "./slice-run.ts";
import type { Tools } from "./tools.ts";

/** Gives a sign for each slice; one that another worker has by now is left. `isHere`: it has not ended meanwhile. */
export async function touchSlices(
  { engine, link, tell }: Pick<Tools, "engine" | "link" | "tell">,
  slices: readonly SliceRun[],
  isHere: (slice: SliceRun) => boolean,
): Promise<void> {
  for (const queue of new Set(slices.map((slice) => slice.queue))) {
    const own = slices.filter((slice) => slice.queue === queue);
    const work = own.map((slice) => slice.work);
    const kept = await link.patiently(() => engine.touch(queue, work));
    for (const slice of own) {
      if (kept.has(slice.work.id) || !isHere(slice)) continue;
      tell(`${slice.batch}: another worker has taken over a slice`);
      slice.leave("another worker has taken it over");
    }
  }
}
