/** One line of the table: what was measured, what is to be reached, and what came out. */
export interface Figure {
  name: string;
  reach: string;
  aim: string;
  measured: string;
  /** True when the aim was reached; null if nothing was measured. */
  reached: boolean | null;
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
}

/** A figure that was measured. */
export function figure({ name, reach, aim, unit, digits, more = false }: Target, value: number, note = ""): Figure {
  const text = (number: number): string => `${number.toFixed(digits)}${unit}`;
  return {
    name,
    reach: text(reach),
    aim: text(aim),
    measured: note === "" ? text(value) : `${text(value)} (${note})`,
    reached: more ? value >= reach : value <= reach,
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

/** The figures as a Markdown table. */
export function figureTable(figures: readonly Figure[]): string {
  const lines = figures.map(({ name, reach, aim, measured, reached }) =>
    ["", name, reach, aim, measured, reached === null ? "" : reached ? "yes" : "**no**", ""].join(" | ").trim(),
  );
  return ["| figure | reach | aim | measured | reached |", "| --- | --- | --- | --- | --- |", ...lines].join("\n");
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
