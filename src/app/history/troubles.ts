/** The parts of a comparison that say what is wrong. */
export interface TroubleFacts {
  verdict: string | null;
  gates: readonly {
    metric: string;
    candidate: string;
    slice: { tag: string; value: string } | null;
    state: string;
  }[];
  confirmation?: { unfinished: string | null } | undefined;
}

/** The trouble of a night that did not come to its end. */
export const unfinishedTrouble = "run that was not finished";
/** The trouble of a night in which too much is missing. */
export const incompleteTrouble = "incomplete data";

export const regressionTrouble = (what: string, candidate: string): string => `regression of ${what} (${candidate})`;

/** The things that are wrong in a night, by names that are the same in every night. */
export function troublesOf(state: string, { verdict, gates, confirmation }: TroubleFacts): Set<string> {
  const isCut = (confirmation?.unfinished ?? null) !== null;
  if (state !== "finished" && !isCut) return new Set([unfinishedTrouble]);
  if (verdict === "invalid") return new Set([incompleteTrouble]);
  if (verdict !== "regression") return new Set();
  const worse = gates.filter((each) => each.state === "regression");
  return new Set(
    worse.map(({ metric, candidate, slice }) => {
      const of = slice === null ? "" : `, ${slice.tag} ${slice.value}`;
      return regressionTrouble(`${metric}${of}`, candidate);
    }),
  );
}
