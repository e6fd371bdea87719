import { hashText } from "../../lib/hash.ts";
import { showText } from "../../lib/show.ts";
import type { RowPlace } from "../case.ts";
import { KeyTable } from "../table/key-table.ts";
import type { RowNumbers } from "../table/row-numbers.ts";

/** Parts that a made key is hashed from. */
interface Made {
  cluster: string;
  turn: number;
  inputHash: string;
  /** The dataset has neither clusters nor turns. */
  alone: boolean;
}

/** Takes a fault; `use` is the mapping's word for the column that it is about. */
type OnFault = (kind: string, use: string, message: string, hint: string) => void;

/** Remembers the keys and turns of all rows: no two may be the same. Memory is a few bytes for each. */
export class CaseIdentity {
  readonly #rows: RowNumbers;
  readonly #onFault: OnFault;
  readonly #keys = new KeyTable();
  readonly #turns = new KeyTable();
  readonly #order = new KeyTable();

  constructor(rows: RowNumbers, onFault: OnFault) {
    this.#rows = rows;
    this.#onFault = onFault;
  }

  /** The number of the next row of a cluster; rows without a cluster are by themselves. */
  nextTurn(cluster: string): number {
    return cluster === "" ? 1 : this.#order.count(cluster);
  }

  /** A key for a row that has none; repetitions get #2, #3. */
  made({ cluster, turn, inputHash, alone }: Made): string {
    const hash = alone ? inputHash.slice(0, 16) : hashText(JSON.stringify([cluster, turn, inputHash]), 16);
    const count = this.#keys.count(hash);
    return count === 1 ? hash : `${hash}#${count}`;
  }

  /** Notes a key that is blank, or that another row has. */
  checkKey(key: string, place: RowPlace): void {
    const hint = "Every row needs a key of its own.";
    if (key.trim() === "") {
      this.#onFault("blank-key", "case.key", "the key is blank", hint);
      return;
    }
    const earlier = this.#keys.addOnce(key, this.#rows.numberOf(place.row));
    if (earlier === null) return;
    const message = `the key ${showText(key)} is also that of ${this.#rows.nameOf(earlier)}`;
    this.#onFault("duplicate-key", "case.key", message, hint);
  }

  checkTurn(cluster: string, turn: number, place: RowPlace): void {
    const earlier = this.#turns.addOnce(`${turn} ${cluster}`, this.#rows.numberOf(place.row));
    if (earlier === null) return;
    const what = `turn ${turn} of ${showText(cluster)} is also that of ${this.#rows.nameOf(earlier)}`;
    this.#onFault("duplicate-turn", "case.turn", what, "Number the turns of a conversation 1, 2, 3 ...");
  }
}
