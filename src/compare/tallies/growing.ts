/** A growing list of numbers. */
interface Growing<Numbers> {
  push: (value: number) => void;
  /** Adds to the number at a place, which may be beyond the end: what was never set is 0. */
  add: (place: number, step: number) => void;
  readonly length: number;
  /** The numbers pushed so far, without a copy: good until the next push. */
  view: () => Numbers;
}

/** Numbers in 8 bytes each. */
export type GrowingFloats = Growing<Float64Array>;
/** Whole numbers in 4 bytes each. */
export type GrowingInts = Growing<Int32Array>;

export function growingFloats(): GrowingFloats {
  return growing<Float64Array>(
    (size) => new Float64Array(size),
    (values, length) => values.subarray(0, length),
  );
}

export function growingInts(): GrowingInts {
  return growing<Int32Array>(
    (size) => new Int32Array(size),
    (values, length) => values.subarray(0, length),
  );
}

function growing<Numbers extends Float64Array | Int32Array>(
  make: (size: number) => Numbers,
  cut: (values: Numbers, length: number) => Numbers,
): Growing<Numbers> {
  let values = make(64);
  let length = 0;
  const reserve = (wanted: number): void => {
    if (wanted <= values.length) return;
    const wider = make(Math.max(wanted, values.length * 2));
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
    view: () => cut(values, length),
  };
}
