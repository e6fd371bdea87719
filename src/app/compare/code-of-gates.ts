import { storedComposites } from "../../score/checks/composite.ts";
import { runsCode } from "../../score/make.ts";
import type { Suite } from "../../suite/suite.ts";

/**
 * Names of the scorers that the gates of a suite take, or the race of its targets, and that run code of its file, also as a part of another score:
 * without the file there is nothing to decide by.
 */
export function codeOfGates({ scorers, decision }: Pick<Suite, "scorers" | "decision">): string[] {
  const { gates, race } = decision;
  const gated = new Set(gates.map(({ metric }) => metric));
  const isGated = ({ name, primary }: Suite["scorers"][number]) =>
    gates.length === 0 || race !== undefined ? primary : gated.has(name);
  const needed = new Set(scorers.flatMap((spec, place) => (isGated(spec) ? [place] : [])));
  // Parts come before what is made of them.
  for (const { place, of } of storedComposites(scorers).toReversed()) {
    if (needed.has(place)) for (const part of of) needed.add(part);
  }
  return scorers.flatMap((spec, place) => (needed.has(place) && runsCode(spec) ? [spec.name] : []));
}
