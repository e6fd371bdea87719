/** A time as a cell says it, as a number that can be compared; null when it is none. */
interface ReadTime {
  /** The time with the month first; both are set if a date could be month/day or day/month. */
  monthFirst: number | null;
  dayFirst: number | null;
}

const clock = String.raw`(?:[T ,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*([AaPp])?\.?[Mm]?\.?)?`;
const zone = String.raw`\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?`;
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${clock}${zone}$`);
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})${clock}${zone}$`);
const monthName = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const clockAlone = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([AaPp])?\.?[Mm]?\.?$/;

/** Reads a time: ISO 8601 and its relatives, 20.11.2026, 11/20/2026, a month in words, a clock alone, or a number. */
export function readTime(cell: string): ReadTime | null {
  const text = cell.trim().replaceAll(/[\u202f\u00a0]/g, " ");
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return both(Number(text));
  const iso = yearFirst.exec(text);
  if (iso !== null) {
    const [, year, month, day, ...rest] = iso;
    return both(instant([year, month, day], rest));
  }
  const other = yearLast.exec(text);
  if (other !== null) {
    const [, first, separator, second, year, ...rest] = other;
    const full = year?.length === 2 ? `20${year}` : year;
    const dayFirst = instant([full, second, first], rest);
    // In dates with points, the day always comes first.
    const monthFirst = separator === "." ? dayFirst : instant([full, first, second], rest);
    return dayFirst === null && monthFirst === null ? null : { dayFirst, monthFirst };
  }
  const alone = clockAlone.exec(text);
  if (alone !== null) return both(instant(["1970", "1", "1"], [...alone.slice(1), undefined]));
  const named =
    monthName.test(text) && /\d{4}/.test(text) ? Date.parse(text.replace(/(\d)(?:st|nd|rd|th)\b/, "$1")) : Number.NaN;
  return Number.isNaN(named) ? null : both(named);
}

function both(value: number | null): ReadTime | null {
  return value === null ? null : { monthFirst: value, dayFirst: value };
}

type Parts = readonly (string | undefined)[];

/** Milliseconds since 1970; without a zone as if it were UTC. Null when there is no such day or time. */
function instant([year, month, day]: Parts, [hour, minute, second, fraction, half, zoned]: Parts): number | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  let h = Number(hour ?? 0);
  if (half !== undefined) h = (h % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const [min, s] = [Number(minute ?? 0), Number(second ?? 0)];
  if (m < 1 || m > 12 || d < 1 || d > 31 || h > 24 || min > 59 || s > 60) return null;
  const ms = Number(`0.${fraction ?? 0}`) * 1000;
  return Date.UTC(y, m - 1, d, h, min, s) + ms - offsetMs(zoned);
}

function offsetMs(text: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(text ?? "") ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The times of one column, in the order of its cells. */
export class TimeColumn {
  readonly #monthFirst: number[] = [];
  readonly #dayFirst: number[] = [];
  #differ = false;
  #monthFits = true;
  #dayFits = true;
  /** Cells that are no times. */
  others = 0;

  /** Adds a cell. One that is no time comes right behind another cell, the one at `before`. */
  add(cell: string, before: number | null): void {
    const read = readTime(cell);
    if (read === null) this.others++;
    else {
      this.#monthFits &&= read.monthFirst !== null;
      this.#dayFits &&= read.dayFirst !== null;
      this.#differ ||= read.monthFirst !== read.dayFirst;
    }
    const like = (times: number[]): number => times[before ?? -1] ?? Number.NEGATIVE_INFINITY;
    this.#monthFirst.push(read?.monthFirst ?? like(this.#monthFirst));
    this.#dayFirst.push(read?.dayFirst ?? like(this.#dayFirst));
  }

  /** `ambiguous`: the dates could be read in two ways, and the order depends on it. */
  times(): { timeOf: (place: number) => number; ambiguous: boolean } {
    const times = this.#differ && !this.#monthFits ? this.#dayFirst : this.#monthFirst;
    return {
      timeOf: (place) => times[place] ?? 0,
      ambiguous: this.#differ && this.#monthFits && this.#dayFits,
    };
  }
}
