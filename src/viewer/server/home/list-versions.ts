import type { BatchEntry, BatchList, BatchListAnswer } from "../../api.ts";

interface KnownEntry {
  text: string;
  /** The version in which it became what it is. */
  version: number;
}

/** Tells of a list of batches that is made again every few seconds only what is new to the asker. */
export class ListVersions {
  readonly #known = new Map<number, KnownEntry>();
  #list: BatchList | null = null;
  #version = 0;
  /** The version in which batches went away: who has an earlier one is told all. */
  #wholeSince = 1;

  /** `known`: the version that the asker has; 0: none. */
  since(known: number, list: BatchList): BatchListAnswer {
    if (list !== this.#list) this.#keep(list);
    const isWhole = known < this.#wholeSince || known > this.#version;
    const isNew = ({ id }: BatchEntry): boolean => isWhole || (this.#known.get(id)?.version ?? 0) > known;
    return { version: this.#version, isWhole, batches: list.batches.filter(isNew), pins: list.pins };
  }

  #keep(list: BatchList): void {
    this.#list = list;
    const next = this.#version + 1;
    const there = new Set<number>();
    for (const entry of list.batches) {
      there.add(entry.id);
      const text = JSON.stringify(entry);
      if (this.#known.get(entry.id)?.text === text) continue;
      this.#known.set(entry.id, { text, version: next });
      this.#version = next;
    }
    for (const id of this.#known.keys()) {
      if (there.has(id)) continue;
      this.#known.delete(id);
      this.#version = this.#wholeSince = next;
    }
  }
}
