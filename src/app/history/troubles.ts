/** The parts of a comparison that say what is wrong. */
export interface TroubleFacts {
  verdict: string | null;
  gates: readonly {
    metric: string;
    candidate: string;
    slice: { tag: string; value: string } | null;
    state: string;
    /** Left out, or without a p value: it counts lost cases, or nothing is known. */
    decided?: object | { pRegression: number | null } | null | undefined;
  }[];
  confirmation?: { unfinished: string | null } | undefined;
  /** Left out: none was stopped. */
  targets?: readonly { stopped: string | null }[];
}

/** True where a target was stopped, so that too much is missing: the night has come to its end, without a result. */
export function isBroken({ verdict, targets = [] }: Pick<TroubleFacts, "verdict" | "targets">): boolean {
  return verdict === "invalid" && targets.some(({ stopped }) => stopped !== null);
}

/** The things that are wrong in a night by what it says itself, under names that are the same in every night. */
export interface NightTroubles {
  found: ReadonlySet<string>;
  /** Regressions that it neither shows nor rules out; `any`: it says nothing of regressions. */
  open: ReadonlySet<string> | "any";
}

/** The trouble of a night that did not come to its end. */
export const unfinishedTrouble = "run that was not finished";
/** The trouble of a night in which too much is missing. */
export const incompleteTrouble = "invalid result";

const none: ReadonlySet<string> = new Set();

export const regressionTrouble = (what: string, candidate: string): string => `regression of ${what} (${candidate})`;

/** The kind of a trouble, by its name. */
export function kindOfTrouble(trouble: string): "regression" | "invalid" | "unfinished" {
  if (trouble === unfinishedTrouble) return "unfinished";
  return trouble === incompleteTrouble ? "invalid" : "regression";
}

/** The troubles of a night, from its state and its comparison. */
export function troublesOf(state: string, facts: TroubleFacts): NightTroubles {
  const { verdict, gates, confirmation } = facts;
  const isCut = (confirmation?.unfinished ?? null) !== null;
  if (state !== "finished" && !isCut && !isBroken(facts)) return { found: new Set([unfinishedTrouble]), open: "any" };
  if (verdict === "invalid") return { found: new Set([incompleteTrouble]), open: "any" };
  const worse = verdict === "regression" ? gates.filter((gate) => gate.state === "regression") : [];
  return { found: new Set(worse.map(nameOf)), open: new Set(gates.filter(isOpen).map(nameOf)) };
}

/**
 * True for a gate that cannot tell, and measured a loss beyond its limit: by its test that is more likely than not. One that
 * measured less speaks against a regression that was found before.
 */
function isOpen({ state, decided }: TroubleFacts["gates"][number]): boolean {
  if (state !== "inconclusive" || decided === null || decided === undefined || !("pRegression" in decided))
    return false;
  return decided.pRegression !== null && decided.pRegression < 0.5;
}

function nameOf({ metric, candidate, slice }: TroubleFacts["gates"][number]): string {
  const of = slice === null ? "" : `, ${slice.tag} ${slice.value}`;
  return regressionTrouble(`${metric}${of}`, candidate);
}

/** A trouble as it stands after a night. */
export interface StandingTrouble {
  name: string;
  /** Place of the first night of it. */
  since: number;
  /** False: the night neither shows it nor rules it out. */
  isShown: boolean;
}

/**
 * The troubles that stand after each of some nights, the oldest first, which asked the same cases and were compared with the
 * same: those that it shows, and a regression of the night before that it leaves open. Without this a loss at the edge of
 * what so many cases can show would be new and over by turns.
 */
export function standingTroubles(nights: readonly NightTroubles[]): StandingTrouble[][] {
  let before: readonly StandingTrouble[] = [];
  return nights.map(({ found, open }, place) => {
    const shown = Array.from(found, (name) => {
      const since = before.find((trouble) => trouble.name === name)?.since ?? place;
      return { name, since, isShown: true };
    });
    const left = before.filter(({ name }) => kindOfTrouble(name) === "regression" && !found.has(name));
    const going = left.filter(({ name }) => open === "any" || open.has(name));
    const now = [...shown, ...going.map((trouble) => ({ ...trouble, isShown: false }))];
    before = now;
    return now;
  });
}

/** True for a night after which nothing can stand. */
export const isClean = ({ found, open }: NightTroubles): boolean =>
  found.size === 0 && open !== "any" && open.size === 0;

/** A night that says nothing yet. */
export const untold: NightTroubles = { found: none, open: "any" };
