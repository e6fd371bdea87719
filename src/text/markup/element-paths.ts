/** Follows the elements of documents along wanted paths. */
export interface ElementPaths {
  open: (name: string, attributes: Readonly<Record<string, unknown>>) => void;
  close: () => void;
  /** Forgets what is open: another document begins. */
  restart: () => void;
  /** The paths that no document had. */
  missing: () => string[];
}

interface Step {
  name: string;
  /** The place among elements of that name; null: every one. */
  at: number | null;
}

interface Wanted {
  path: string;
  steps: Step[];
  /** Set where the path ends at an attribute. */
  attribute: string | null;
  isFound: boolean;
}

/** An open element: the wanted paths that lead through it, with their steps so far. */
interface Level {
  through: readonly { wanted: Wanted; steps: number }[];
  counts: Map<string, number>;
}

const beside: Level = { through: [], counts: new Map() };

/**
 * Reads paths such as `root.item`, `root.item.1` (the second one) and `root.item.@_id` (an attribute). Work and memory
 * grow with the elements, however deep they are.
 */
export function elementPaths(paths: readonly string[]): ElementPaths {
  const all = paths.map(wantedOf);
  const outside = (): Level => ({ through: all.map((wanted) => ({ wanted, steps: 0 })), counts: new Map() });
  let levels: Level[] = [outside()];
  return {
    open: (name, attributes) => {
      const parent = levels.at(-1) ?? beside;
      levels.push(parent.through.length === 0 ? beside : entered(parent, name, attributes));
    },
    close: () => void levels.pop(),
    restart: () => (levels = [outside()]),
    missing: () => all.filter(({ isFound }) => !isFound).map(({ path }) => path),
  };
}

function entered(parent: Level, name: string, attributes: Readonly<Record<string, unknown>>): Level {
  const at = parent.counts.get(name) ?? 0;
  parent.counts.set(name, at + 1);
  const through = parent.through.flatMap(({ wanted, steps }) => {
    const step = wanted.steps[steps];
    if (step?.name !== name || (step.at !== null && step.at !== at)) return [];
    if (steps + 1 < wanted.steps.length) return [{ wanted, steps: steps + 1 }];
    if (wanted.attribute === null || Object.hasOwn(attributes, wanted.attribute)) wanted.isFound = true;
    return [];
  });
  return through.length === 0 ? beside : { through, counts: new Map() };
}

function wantedOf(path: string): Wanted {
  const steps: Step[] = [];
  let attribute: string | null = null;
  for (const part of path.split(".")) {
    const last = steps.at(-1);
    if (/^\d+$/.test(part) && last !== undefined) last.at = Number(part);
    else if (part.startsWith("@_")) attribute = part.slice(2);
    else steps.push({ name: part, at: null });
  }
  return { path, steps, attribute, isFound: false };
}
