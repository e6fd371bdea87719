import { growingInts, type GrowingInts } from "../../compare/tallies/growing.ts";
import { groupName, groupsOfAnswers, groupsOfChange } from "../../report/model/row-groups.ts";
import type { ReportFrame } from "../../report/shape/reporter.ts";
import type { ReportRow } from "../../report/shape/row.ts";

/** Names of the groups that a row is in. */
export type RowGroups = ReadonlySet<string>;

/** A group by the name that an index has for it; `pair`: of what it is compared with, null where that does not matter. */
export function placeName(group: string, pair: number | null): string {
  return pair === null ? group : `${pair} ${group}`;
}

/** Finds the groups of each row of a comparison. */
export function rowGroupsIn(frame: ReportFrame): (row: ReportRow) => RowGroups {
  return (row) => {
    const found = new Set(groupsOfAnswers(row, frame).map((group) => placeName(groupName(group), null)));
    for (const pair of frame.pairs.keys()) {
      for (const group of groupsOfChange(row, frame, pair)) found.add(placeName(groupName(group), pair));
    }
    return found;
  };
}

/** More are not offered: nobody looks at as many kinds of error. */
const mostGroups = 5_000;

/** The places of the rows of each group. */
export class GroupPlaces {
  readonly #groups = new Map<string, GrowingInts>();

  add(place: number, groups: RowGroups): void {
    for (const group of groups) {
      let places = this.#groups.get(group);
      if (places === undefined) {
        if (this.#groups.size >= mostGroups) continue;
        places = growingInts();
        this.#groups.set(group, places);
      }
      places.push(place);
    }
  }

  /** The places of all groups, one group behind the other, and where each begins and ends. */
  end(): { places: Uint32Array; groups: Record<string, [from: number, to: number]> } {
    const places = new Uint32Array(Array.from(this.#groups.values()).reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    const groups = Array.from(this.#groups, ([group, own]): [string, [number, number]] => {
      places.set(own.view(), at);
      at += own.length;
      return [group, [at - own.length, at]];
    });
    return { places, groups: Object.fromEntries(groups) };
  }
}
