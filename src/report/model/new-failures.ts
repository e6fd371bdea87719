import { saidShape } from "../../text/said-shape.ts";
import { mostSaid } from "./row-groups.ts";
import type { NewFailures } from "../shape/model.ts";

/** A row that newly fails: the answer of the candidate, and that of the baseline; null: it has none. */
interface NewlyFailing {
  answer: string;
  before: string | null;
}

/** Counts the newly failing rows of one candidate; what is held does not grow with the rows. */
export interface NewFailureTally {
  add: (row: NewlyFailing) => void;
  result: (candidate: string) => NewFailures | null;
}

const mostShown = 8;

export function newFailureTally(): NewFailureTally {
  const shapes = new Map<string, number>();
  let rows = 0;
  return {
    add({ answer, before }) {
      rows += 1;
      const shape = saidShape(answer, before);
      if (shapes.has(shape) || shapes.size < mostSaid) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    },
    result(candidate) {
      if (rows === 0) return null;
      const said = Array.from(shapes, ([words, count]) => ({ words, rows: count }))
        .filter((each) => each.rows > 1 && each.words !== "")
        .toSorted((one, other) => other.rows - one.rows || (one.words < other.words ? -1 : 1));
      return { candidate, rows, said: said.slice(0, mostShown) };
    },
  };
}
