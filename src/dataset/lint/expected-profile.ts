import { caseless } from "../../text/fold.ts";
import { type ExpectedForm, expectedForm } from "./expected-form.ts";
import { LengthCounts, type Lengths } from "./lengths.ts";

/** The expected answers of a dataset by their length and form. Blank ones do not count. */
export interface ExpectedProfile extends Lengths {
  /** Answers by their form. */
  forms: Record<ExpectedForm, number>;
  /** Answers that hold a digit of any script. */
  digits: number;
  /** The different answers, without regard to capital letters, as they are first written; null: there are more than 20. */
  labels: string[] | null;
  /** The different units of numbers; null: there are more than 3. */
  units: string[] | null;
}

const mostLabels = 20;
const longestLabel = 40;
const mostUnits = 3;
const digit = /\p{Nd}/u;

/** Looks at expected answers one by one, in memory that does not grow with them. */
export class ExpectedCounts {
  readonly #lengths = new LengthCounts();
  readonly #forms = { json: 0, list: 0, number: 0, words: 0, phrase: 0, sentence: 0 };
  #digits = 0;
  #labels: Map<string, string> | null = new Map();
  #units: Set<string> | null = new Set();

  /** Null and blank texts are passed over. */
  add(text: string | null): void {
    if (text === null || text.trim() === "") return;
    this.#lengths.add(text);
    const { form, unit } = expectedForm(text);
    this.#forms[form]++;
    if (digit.test(text)) this.#digits++;
    if (unit !== "" && this.#units?.add(unit) !== undefined && this.#units.size > mostUnits) this.#units = null;
    if (this.#labels !== null) this.#addLabel(this.#labels, text.trim());
  }

  #addLabel(labels: Map<string, string>, text: string): void {
    const key = caseless(text.normalize("NFC"));
    if (labels.has(key)) return;
    if (labels.size >= mostLabels || text.length > longestLabel) this.#labels = null;
    else labels.set(key, text);
  }

  get profile(): ExpectedProfile {
    return {
      ...this.#lengths.lengths,
      forms: { ...this.#forms },
      digits: this.#digits,
      labels: this.#labels === null ? null : [...this.#labels.values()],
      units: this.#units === null ? null : [...this.#units],
    };
  }
}
