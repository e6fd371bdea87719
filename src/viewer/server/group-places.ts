import { growingInts, type GrowingInts } from "../../compare/tallies/growing.ts";
import { frameGroups, groupName, mostGroups } from "../../report/model/row-groups.ts";
import type { ReportFrame } from "../../report/shape/reporter.ts";
import type { ReportRow } from "../../report/shape/row.ts";
import type { RowGroup } from "../../report/shape/row-group.ts";

/** The groups that a row is in: those of its answers, then those of each pair that is compared. */
export type RowGroups = readonly (readonly RowGroup[])[];

/** A group by the name that an index has for it; `pair`: of what it is compared with, null where that does not matter. */
export function placeName(group: RowGroup, pair: number | null): string {
  return pair === null ? groupName(group) : `${pair} ${groupName(group)}`;
}

/** Finds the groups of each row of a comparison. */
export function rowGroupsIn(frame: ReportFrame): (row: ReportRow) => RowGroups {
  const { ofAnswers, ofChange } = frameGroups(frame);
  return (row) => [ofAnswers(row), ...frame.pairs.map((_, pair) => ofChange(row, pair))];
}

interface Places {
  places: GrowingInts;
  /** A row may be in a group by several of its runs. */
  last: number;
}

/** The places of the rows of each group. */
export class GroupPlaces {
  /** For the answers, then for each pair. */
  readonly #groups: Map<RowGroup, Places>[] = [];

  add(place: number, groups: RowGroups): void {
    for (const [part, own] of groups.entries()) {
      const known = (this.#groups[part] ??= new Map<RowGroup, Places>());
      for (const group of own) {
        const met = known.get(group);
        if (met?.last === place) continue;
        if (met === undefined && known.size >= mostGroups) continue;
        const kept = met ?? { places: growingInts(), last: place };
        kept.places.push(place);
        kept.last = place;
        if (met === undefined) known.set(group, kept);
      }
    }
  }

  /** The places of all groups, one group behind the other, and where each begins and ends. */
  end(): { places: Uint32Array; groups: Record<string, [from: number, to: number]> } {
    const all = this.#groups.flatMap((known, part) =>
      Array.from(known, ([group, { places }]) => {
        return { name: placeName(group, part === 0 ? null : part - 1), own: places.view() };
      }),
    );
    const places = new Uint32Array(all.reduce((sum, { own }) => sum + own.length, 0));
    let at = 0;
    const groups = all.map(({ name, own }): [string, [number, number]] => {
      places.set(own, at);
      at += own.length;
      return [name, [at - own.length, at]];
    });
    return { places, groups: Object.fromEntries(groups) };
  }
}
