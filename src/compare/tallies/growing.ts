/** Numbers of which nobody knows how many will come, in 8 bytes each. */
export interface GrowingFloats {
  push: (value: number) => void;
  /** Adds to the number at a place, which may be beyond the end: what was never set is 0. */
  add: (place: number, step: number) => void;
  readonly length: number;
  /** The numbers pushed so far, without a copy: good until the next push. */
  view: () => Float64Array;
}

export function growingFloats(): GrowingFloats {
  let values = new Float64Array(64);
  let length = 0;
  const reserve = (wanted: number): void => {
    if (wanted <= values.length) return;
    const wider = new Float64Array(Math.max(wanted, values.length * 2));
    wider.set(values);
    values = wider;
  };
  return {
    push(value) {
      reserve(length + 1);
      values[length++] = value;
    },
    add(place, step) {
      reserve(place + 1);
      values[place] = (values[place] ?? 0) + step;
      length = Math.max(length, place + 1);
    },
    get length() {
      return length;
    },
    view: () => values.subarray(0, length),
  };
}

/** Whole numbers of 32 bits; see `GrowingFloats`. A place that was never set is 0. */
export interface GrowingInts {
  push: (value: number) => void;
  /** Adds to the number at a place, which may be beyond the end. */
  add: (place: number, step: number) => void;
  readonly length: number;
  view: () => Int32Array;
}

export function growingInts(): GrowingInts {
  let values = new Int32Array(64);
  let length = 0;
  const reserve = (wanted: number): void => {
    if (wanted <= values.length) return;
    const wider = new Int32Array(Math.max(wanted, values.length * 2));
    wider.set(values);
    values = wider;
  };
  return {
    push(value) {
      reserve(length + 1);
      values[length++] = value;
    },
    add(place, step) {
      reserve(place + 1);
      values[place] = (values[place] ?? 0) + step;
      length = Math.max(length, place + 1);
    },
    get length() {
      return length;
    },
    view: () => values.subarray(0, length),
  };
}
