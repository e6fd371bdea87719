/** The parts of a comparison that say what is wrong. */
export interface IssueFacts {
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
export function isBroken({ verdict, targets = [] }: Pick<IssueFacts, "verdict" | "targets">): boolean {
  return verdict === "invalid" && targets.some(({ stopped }) => stopped !== null);
}

/** The things that are wrong in a night by what it says itself, under names that are the same in every night. */
export interface NightIssues {
  found: ReadonlySet<string>;
  /** Regressions that it neither shows nor rules out; `any`: it says nothing of regressions. */
  open: ReadonlySet<string> | "any";
}

/** The trouble of a night that did not come to its end. */
export const unfinishedIssue = "run that was not finished";
/** The trouble of a night in which too much is missing. */
export const incompleteIssue = "invalid result";

const none: ReadonlySet<string> = new Set();

export const regressionIssue = (what: string, candidate: string): string => `regression of ${what} (${candidate})`;

/** The kind of a trouble, by its name. */
export function kindOfIssue(issue: string): "regression" | "invalid" | "unfinished" {
  if (issue === unfinishedIssue) return "unfinished";
  return issue === incompleteIssue ? "invalid" : "regression";
}

/** The troubles of a night, from its state and its comparison. */
export function issuesOf(state: string, facts: IssueFacts): NightIssues {
  const { verdict, gates, confirmation } = facts;
  const isCut = (confirmation?.unfinished ?? null) !== null;
  if (state !== "finished" && !isCut && !isBroken(facts)) return { found: new Set([unfinishedIssue]), open: "any" };
  if (verdict === "invalid") return { found: new Set([incompleteIssue]), open: "any" };
  const worse = verdict === "regression" ? gates.filter((gate) => gate.state === "regression") : [];
  return { found: new Set(worse.map(nameOf)), open: new Set(gates.filter(isOpen).map(nameOf)) };
}

/**
 * True for a gate that cannot tell, and measured a loss beyond its limit: by its test that is more likely than not. One that
 * measured less speaks against a regression that was found before.
 */
function isOpen({ state, decided }: IssueFacts["gates"][number]): boolean {
  if (state !== "inconclusive" || decided === null || decided === undefined || !("pRegression" in decided))
    return false;
  return decided.pRegression !== null && decided.pRegression < 0.5;
}

function nameOf({ metric, candidate, slice: segment }: IssueFacts["gates"][number]): string {
  const of = segment === null ? "" : `, ${segment.tag} ${segment.value}`;
  return regressionIssue(`${metric}${of}`, candidate);
}

/** A trouble as it stands after a night. */
export interface StandingIssue {
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
export function standingIssues(nights: readonly NightIssues[]): StandingIssue[][] {
  let before: readonly StandingIssue[] = [];
  return nights.map(({ found, open }, place) => {
    const shown = Array.from(found, (name) => {
      const since = before.find((issue) => issue.name === name)?.since ?? place;
      return { name, since, isShown: true };
    });
    const left = before.filter(({ name }) => kindOfIssue(name) === "regression" && !found.has(name));
    const going = left.filter(({ name }) => open === "any" || open.has(name));
    const now = [...shown, ...going.map((issue) => ({ ...issue, isShown: false }))];
    before = now;
    return now;
  });
}

/** True for a night after which nothing can stand. */
export const isClean = ({ found, open }: NightIssues): boolean => found.size === 0 && open !== "any" && open.size === 0;

/** A night that says nothing yet. */
export const untold: NightIssues = { found: none, open: "any" };
