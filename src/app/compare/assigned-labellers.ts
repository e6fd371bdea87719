import { clusterRank } from "../../plan/rank.ts";

/** Share of the cases that two people label, and the fewest: fewer say nothing of how far they agree. */
const sharedBy2 = { share: 0.2, fewest: 20 };

interface Assigned {
  key: string;
  /** Those whom it is for already: they stay. */
  labellers: readonly string[];
}

/**
 * People for each case: one by lot, evenly, and of a random fifth (at least 20 cases) a second one, who labels them without
 * knowing of the first. Cases come in the order in which they are labelled. Without names nobody is assigned.
 */
export function assignedLabellers(
  cases: readonly Assigned[],
  { names, seed }: { names: readonly string[]; seed: string },
): (readonly string[])[] {
  if (names.length === 0) return cases.map(({ labellers }) => labellers);
  const load = new Map(names.map((name) => [name, 0]));
  for (const name of cases.flatMap(({ labellers }) => labellers)) load.set(name, (load.get(name) ?? 0) + 1);
  const leastLoaded = (but: readonly string[]): readonly string[] => {
    const free = names.filter((name) => !but.includes(name));
    const [first = null] = free.toSorted((one, other) => (load.get(one) ?? 0) - (load.get(other) ?? 0));
    if (first === null) return but;
    load.set(first, (load.get(first) ?? 0) + 1);
    return [...but, first];
  };
  const given = cases.map(({ labellers }) => (labellers.length === 0 ? leastLoaded([]) : labellers));
  const wanted = Math.min(cases.length, Math.max(sharedBy2.fewest, Math.ceil(sharedBy2.share * cases.length)));
  const rank = (place: number): number => clusterRank(`twice/${seed}`, cases[place]?.key ?? "");
  const single = given.flatMap((labellers, place) => (labellers.length > 1 ? [] : [place]));
  const twice = single.toSorted((one, other) => rank(one) - rank(other));
  for (const place of twice.slice(0, Math.max(0, wanted - (given.length - single.length))))
    given[place] = leastLoaded(given[place] ?? []);
  return given;
}
