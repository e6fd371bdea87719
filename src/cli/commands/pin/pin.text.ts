import { dayLabel } from "../../../report/say/night-names.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import type { Pin } from "../../../store/pins/pins.ts";

export function pinnedText({ name, batches }: Named): string {
  return `${name} is ${batchNames(batches)}.`;
}

export const earlierStayText = "Earlier runs keep what they were compared with.";

export function removedText(names: readonly string[]): string {
  return `Removed: ${names.map(visible).join(", ")}. The batches are still there.`;
}

export function exportedText({ name, batches }: Named, file: string): string {
  return `${visible(name)} is in ${visible(file)}: answers and scores of ${batchNames(batches)}.`;
}

/** All pins in a table; `suites` names the suite of each batch that was run here. */
export function pinListText(pins: readonly Pin[], suites: ReadonlyMap<number, string>): string {
  if (pins.length === 0) return "There is no pin yet: `tandem pin BATCH --as NAME` makes one.";
  const rows = pins.map(({ name, batches, createdAt }) => [
    visible(name),
    visible(Array.from(new Set(batches.map(({ id }) => suites.get(id) ?? "an exported pin"))).join(", ")),
    dayLabel(createdAt),
    batchNames(batches),
  ]);
  return tableLines(
    [
      { title: "pin", align: "left", most: 64 },
      { title: "of", align: "left", most: 40 },
      { title: "made on", align: "left", most: 10 },
      { title: "batches", align: "left", most: 400 },
    ],
    rows,
  ).join("\n");
}

interface Named {
  name: string;
  batches: readonly { name: string }[];
}

function batchNames(batches: readonly { name: string }[]): string {
  return batches.map(({ name }) => visible(name)).join(", ");
}
