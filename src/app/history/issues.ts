import { ofValue, tagName, sliceWords } from "../../report/say/names.ts";
import { changedChoices, type ChoiceFacts } from "./changed-choice.ts";
import { unfinishedRun } from "../../report/say/nights.ts";

/** The parts of a comparison that say what is wrong. */
export interface IssueFacts {
  verdict: string | null;
  gates: readonly {
    metric: string;
    candidate: string;
    slice: { tag: string; value: string } | null;
    state: string;
    word?: string | undefined;
    /** Left out, or without a p value: it counts lost cases, or nothing is known. */
    decided?: object | { pRegression: number | null; upper?: number | null } | null | undefined;
    /** A column by which its rows go wrong together. */
    dependence?: { byRows: string } | undefined;
  }[];
  /** Values of tags that lost everything. */
  lostTags?: readonly { candidate: string; baseline: string; metric: string; tag: string; value: string }[] | undefined;
  /** The place that alone makes a candidate worse, where there is one. */
  verdicts?: readonly {
    candidate: string;
    byPlace?: { tag: string; value: string; and: { tag: string; value: string } | null } | undefined;
  }[];
  /** The best of many. */
  choice?: ChoiceFacts | undefined;
  confirmation?: { unfinished: { kind: string } | null } | undefined;
  /** Each candidate with what it was compared with. */
  candidates: readonly { candidate: string; baseline: string }[];
  targets?: readonly { target: string; stopped: string | null }[];
}

/** True where a target was stopped, so that too much is missing: the night has come to its end, without a result. */
export function isBroken({ verdict, targets = [] }: Pick<IssueFacts, "verdict" | "targets">): boolean {
  return verdict === "invalid" && targets.some(({ stopped }) => stopped !== null);
}

/** Something that is wrong, by what is the same in every night. */
export interface Issue {
  name: string;
  /** The target that a regression was measured against. */
  baseline: string | null;
  /** The gate that a regression or a sure loss is of. */
  gate?: string;
  /** A value of a tag that lost everything. */
  isLostTag?: true;
  /** The verdict beside it may be fine all the same, so that it has to be named. */
  isBeside?: true;
  /** Targets without which a night says nothing of it: of a regression the candidate and its baseline. */
  targets: readonly string[];
}

/** The things that are wrong in a night by what it says itself. */
export interface NightIssues {
  found: readonly Issue[];
  /** Regressions that it neither shows nor rules out; `any`: it says nothing of regressions. */
  open: readonly Issue[] | "any";
  /** Those that took part; null: not known. */
  sides: NightSides | null;
}

/** The targets of a night, and the baseline of each candidate. */
interface NightSides {
  targets: ReadonlySet<string>;
  baselines: ReadonlyMap<string, string>;
  /** False for a choice without gates: it says nothing of a loss that a gate found. */
  asksGates: boolean;
}

/** The trouble of a night that did not come to its end. */
export const unfinishedIssue = unfinishedRun;
/** The trouble of a night in which too much is missing. */
export const incompleteIssue = "invalid result";

export const regressionIssue = (what: string, candidate: string): string => `regression of ${what} (${candidate})`;

const lossIssue = (gate: string): string => `sure loss of ${gate}`;
const rowsIssue = (gate: string): string => `regression of ${gate} by its rows alone`;
/** True for what is said of a gate that finds no regression. */
const isLoss = ({ name, gate = "" }: Issue): boolean => name === lossIssue(gate) || name === rowsIssue(gate);

/** The kind of a trouble, by its name: a loss that is sure is as a regression. */
export function kindOfIssue(issue: string): "regression" | "invalid" | "unfinished" {
  if (issue === unfinishedIssue) return "unfinished";
  return issue === incompleteIssue ? "invalid" : "regression";
}

/** The troubles of a night, from its state and its comparison. */
export function issuesOf(state: string, facts: IssueFacts): NightIssues {
  const { verdict, gates, candidates, targets = [], confirmation } = facts;
  const isCut = (confirmation?.unfinished ?? null) !== null;
  const names = new Set(targets.map(({ target }) => target));
  const baselines = new Map(candidates.map(({ candidate, baseline }) => [candidate, baseline]));
  const asksGates = gates.length > 0 || facts.choice === undefined;
  const sides = { targets: new Set([...names, ...[...baselines].flat()]), baselines, asksGates };
  const whole = (name: string, needed: ReadonlySet<string>): NightIssues => {
    return { found: [{ name, baseline: null, targets: [...needed] }], open: "any", sides };
  };
  if (state !== "finished" && !isCut && !isBroken(facts)) return whole(unfinishedIssue, new Set());
  if (verdict === "invalid") return whole(incompleteIssue, sides.targets);
  const worse = verdict === "regression" ? gates.filter((gate) => gate.state === "regression") : [];
  const issueOf = (gate: IssueFacts["gates"][number]): Issue => regressionOf(gate, baselines);
  const lossOf = (gate: IssueFacts["gates"][number]): Issue => {
    const issue = regressionOf(gate, baselines);
    return { ...issue, name: lossIssue(issue.gate ?? "") };
  };
  const byRowsOf = (gate: IssueFacts["gates"][number]): Issue => {
    const issue = regressionOf(gate, baselines);
    return { ...issue, name: rowsIssue(issue.gate ?? ""), isBeside: true };
  };
  const byRows = gates.filter(isByRows);
  const choices = changedChoices(facts.choice, names);
  const found = [
    ...worse.map(issueOf),
    ...byRows.map(byRowsOf),
    ...gates.filter((gate) => !isByRows(gate) && isSureLoss(gate)).map(lossOf),
    ...lostTagsOf(facts, worse),
    ...placesOf(facts, baselines),
    ...choices.found,
  ];
  const open = gates.filter(isOpen);
  return {
    found,
    open: [...open.flatMap((gate) => [issueOf(gate), lossOf(gate), byRowsOf(gate)]), ...choices.open],
    sides,
  };
}

/** True for a regression that only an undeclared column of groups took away. */
const isByRows = ({ state, dependence }: IssueFacts["gates"][number]): boolean =>
  state !== "regression" && dependence?.byRows === "regression";

/** Values of tags that lost everything, but for those of which a gate found it. */
function lostTagsOf({ lostTags = [] }: IssueFacts, worse: IssueFacts["gates"]): Issue[] {
  const isFound = (lost: (typeof lostTags)[number]): boolean =>
    worse.some(
      ({ candidate, metric, slice }) =>
        candidate === lost.candidate && metric === lost.metric && slice?.tag === lost.tag && slice.value === lost.value,
    );
  return lostTags
    .filter((lost) => !isFound(lost))
    .map(({ candidate, baseline, metric, tag, value }) => ({
      name: `loss of all rows with ${tagName(tag)} = ${value} in ${metric} (${candidate})`,
      baseline,
      targets: [candidate, baseline],
      isLostTag: true,
      isBeside: true,
    }));
}

/** The places that alone make a candidate worse, but for values of tags that lost everything: these are named already. */
function placesOf({ verdicts = [], lostTags = [] }: IssueFacts, baselines: ReadonlyMap<string, string>): Issue[] {
  return verdicts.flatMap(({ candidate, byPlace }) => {
    if (byPlace === undefined) return [];
    const { and } = byPlace;
    const isLost = (lost: (typeof lostTags)[number]): boolean =>
      and === null && lost.candidate === candidate && lost.tag === byPlace.tag && lost.value === byPlace.value;
    if (lostTags.some(isLost)) return [];
    const baseline = baselines.get(candidate) ?? null;
    const targets = baseline === null ? [candidate] : [candidate, baseline];
    return [{ name: `loss in the rows with ${sliceWords(byPlace)} (${candidate})`, baseline, targets }];
  });
}

/** A night that is not known: it says nothing of any regression. */
export const unknownNight = (found: readonly string[]): NightIssues => {
  return { found: found.map((name) => ({ name, baseline: null, targets: [] })), open: "any", sides: null };
};

/**
 * True for a gate that cannot tell, and measured a loss beyond its limit: by its test that is more likely than not. One that
 * measured less speaks against a regression that was found before.
 */
function isOpen({ state, decided }: IssueFacts["gates"][number]): boolean {
  if (state !== "inconclusive" || decided === null || decided === undefined || !("pRegression" in decided))
    return false;
  return decided.pRegression !== null && decided.pRegression < 0.5;
}

/** True for a loss that is sure although it may be within the limit. */
const isSureLoss = ({ word }: IssueFacts["gates"][number]): boolean => word === "worse";

function regressionOf(
  { metric, candidate, slice }: IssueFacts["gates"][number],
  baselines: ReadonlyMap<string, string>,
): Issue {
  const baseline = baselines.get(candidate) ?? null;
  const targets = baseline === null ? [candidate] : [candidate, baseline];
  const what = `${metric}${ofValue(slice)}`;
  return { name: regressionIssue(what, candidate), baseline, gate: `${what} (${candidate})`, targets };
}

/** True for the same thing wrong, measured against the same baseline. */
export function isSameIssue(one: Pick<Issue, "name" | "baseline">, other: Pick<Issue, "name" | "baseline">): boolean {
  return one.name === other.name && one.baseline === other.baseline;
}

/** True for a regression and a sure loss of one gate against the same baseline: one goes on as the other. */
function isSameGate(one: Pick<Issue, "gate" | "baseline">, other: Pick<Issue, "gate" | "baseline">): boolean {
  return one.gate !== undefined && one.gate === other.gate && one.baseline === other.baseline;
}

const holds = (issues: readonly Issue[], issue: Issue): boolean => issues.some((each) => isSameIssue(each, issue));

/** True where the targets of an issue took part in a night, its candidate compared with the same baseline, and by gates where one found it. */
function isAbout({ sides }: NightIssues, { baseline, targets, gate }: Issue): boolean {
  if (sides === null) return true;
  if (gate !== undefined && !sides.asksGates) return false;
  const [candidate = ""] = targets;
  const isPair = baseline === null || sides.baselines.get(candidate) === baseline;
  return isPair && targets.every((target) => sides.targets.has(target));
}

/** A trouble as it stands after a night. */
export interface StandingIssue extends Issue {
  /** Place of the first night of it. */
  since: number;
  /** False: the night neither shows it nor rules it out. */
  isShown: boolean;
  /** False: a target of it took no part in the night, or was compared with another. */
  takesPart: boolean;
}

/**
 * The troubles that stand after each of some nights, the oldest first, which asked the same cases and were compared with the
 * same: those that it shows, a regression of the night before that it leaves open, and whatever is of targets that took no
 * part in it. Without this a loss at the edge of what so many cases can show would be new one night and over the next.
 */
export function standingIssues(nights: readonly NightIssues[]): StandingIssue[][] {
  let before: readonly StandingIssue[] = [];
  return nights.map((night, place) => {
    const { found, open } = night;
    const left = before.flatMap((issue) => {
      // A loss that is a regression tonight is that regression.
      if (holds(found, issue) || (isLoss(issue) && found.some((each) => isSameGate(each, issue)))) return [];
      const takesPart = isAbout(night, issue);
      const isOpenStill = kindOfIssue(issue.name) === "regression" && (open === "any" || holds(open, issue));
      return takesPart && !isOpenStill ? [] : [{ ...issue, isShown: false, takesPart }];
    });
    const shown = found.flatMap((issue) => {
      // A regression that is open tonight goes on, and is not told again as a loss.
      if (isLoss(issue) && left.some((each) => isSameGate(each, issue))) return [];
      const earlier = before.filter((each) => isSameIssue(each, issue) || (isLoss(issue) && isSameGate(each, issue)));
      const since = Math.min(place, ...earlier.map((each) => each.since));
      return [{ ...issue, since, isShown: true, takesPart: true }];
    });
    const now = [...shown, ...left];
    before = now;
    return now;
  });
}

/**
 * Those of some candidates, each with its baseline, of which a regression may still stand after a night: it was not compared
 * so, or the night shows a regression of it or leaves one open.
 */
export function notCleared(
  pairs: readonly (readonly [candidate: string, baseline: string])[],
  night: NightIssues,
): (readonly [candidate: string, baseline: string])[] {
  const { found, open, sides } = night;
  if (open === "any") return [...pairs];
  if (sides === null) return [];
  return pairs.filter(([candidate, baseline]) => {
    const isOf = (issue: Issue): boolean => issue.baseline === baseline && issue.targets[0] === candidate;
    return sides.baselines.get(candidate) !== baseline || [...found, ...open].some(isOf);
  });
}
