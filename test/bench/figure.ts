/** One line of the table: what was measured, what is to be reached, and what came out. */
export interface Figure {
  name: string;
  reach: string;
  aim: string;
  measured: string;
  /** True when the aim was reached; null if nothing was measured. */
  reached: boolean | null;
  /** A ratio of one lap, which `--check` holds against the one that was measured before; left out: it is not compared. */
  guard?: Guard | undefined;
}

/** A ratio that is much the same on every machine: a fifth lay between two of them on one day. */
interface Guard {
  value: number;
  /** True when more is better. */
  more: boolean;
  /** The share by which it may be worse. */
  tolerance: number;
}

export interface Target {
  name: string;
  /** Two numbers, what is to be reached and what is aimed at, with their unit. */
  reach: number;
  aim: number;
  unit: string;
  digits: number;
  /** True when more is better; left out: less is. */
  more?: boolean;
  /** The share by which a ratio of one lap may be worse than before; left out: it is no such ratio. */
  tolerance?: number;
}

/** A figure that was measured. */
export function figure(target: Target, value: number, note = ""): Figure {
  const { name, reach, aim, unit, digits, more = false, tolerance } = target;
  const text = (number: number): string => `${number.toFixed(digits)}${unit}`;
  return {
    name,
    reach: text(reach),
    aim: text(aim),
    measured: note === "" ? text(value) : `${text(value)} (${note})`,
    reached: more ? value >= reach : value <= reach,
    ...(tolerance !== undefined && { guard: { value: Number(value.toFixed(3)), more, tolerance } }),
  };
}

/** A figure that was measured although it has no aim. */
export function beside(name: string, measured: string): Figure {
  return { name, reach: "", aim: "", measured, reached: null };
}

/** A figure that was not measured, and why. */
export function notMeasured(name: string, reach: string, aim: string, why: string): Figure {
  return { name, reach, aim, measured: `not measured: ${why}`, reached: null };
}

/** The figures as a broken-off run shows them: one line for each. */
export function figureLines(figures: readonly Figure[]): string {
  return figures
    .map(({ name, reach, measured, reached }) => {
      const against = reached === null ? "" : reached ? ` (reached ${reach})` : ` (not reached: ${reach})`;
      return `  ${name}: ${measured}${against}`;
    })
    .join("\n");
}
