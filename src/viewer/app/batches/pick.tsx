/** A pick is the name of a batch or pin with a mark before it, or `BATCH:TARGET`. */
const wholeMark = "\u0000";

export const wholePick = (name: string): string => `${wholeMark}${name}`;

const isWhole = (pick: string): boolean => pick.startsWith(wholeMark);

/** A pick in the words that a person reads. */
export const nameOfPick = (pick: string): string => pick.replace(wholeMark, "");

/**
 * Address that compares two picks. Two whole batches: the targets of the same name. A whole one beside a target: all of
 * its targets with that one.
 */
export function comparisonAddress(baseline: string, candidate: string): string {
  const [from, to] = [nameOfPick(baseline), nameOfPick(candidate)];
  const address = isWhole(candidate)
    ? new URLSearchParams({ batch: to, against: from })
    : new URLSearchParams([
        ["side", isWhole(baseline) ? `${from}:${to.slice(to.indexOf(":") + 1)}` : from],
        ["side", to],
      ]);
  return `#${address.toString()}`;
}

/** One side of a comparison, to be picked. */
export function Pick(given: { side: string; text: string; picked: string[]; pick: (side: string) => void }) {
  const { side, text, picked, pick } = given;
  return (
    <button type="button" aria-pressed={picked.includes(side)} onClick={() => pick(side)}>
      <bdi>{text}</bdi>
    </button>
  );
}
