import { answerMark } from "../../lib/answer-mark.ts";
import { endOf } from "../../api/outcomes.ts";
import type { CaseResult } from "../../store/results/case-result.ts";
import type { ReadSide, Run } from "../cases/case-side.ts";
import { signOf } from "../cases/case-turn.ts";
import { type ComparedMetric, comparedValue, type CaseOfDraw, type LabelDraw, worstOf } from "../comparison-plan.ts";

/** Labels of people in the cases of a pair, by one metric that a judge grades. */
export interface PeopleNumbers {
  /** Cases in which both answers have a label, or had none to label. */
  labelled: LabelledCase[];
  /** Places of cases that both sides answered and the judge did not grade. */
  ungraded: number[];
  /** The judge's own differences where a person put another score in the place of one of its, by place. */
  own: Map<number, number>;
  /** Places of the cases that the judge was written with, labelled or not: they are in no other list. */
  examples: number[];
  /** Labels that are of an answer that has another text now. */
  stale: number;
  /** Cases of the draw that lack a label; null: there was no draw. */
  open: { place: number; part: number }[] | null;
  /** Cases that could be drawn; null as well. */
  drawnOf: number | null;
}

/** A case that people labelled on both sides. */
export interface LabelledCase {
  /** Its place among the cases of the pair. */
  place: number;
  /** Candidate minus baseline, positive is better. */
  human: number;
  baseline: number;
  /** Null: the case is of no draw. */
  drawn: CaseOfDraw | null;
}

/** A case at its place among those of the pair. */
interface PlacedCase {
  place: number;
  result: CaseResult;
  /** The judge has a difference of it. */
  isGraded: boolean;
  baseline: ReadSide;
  candidate: ReadSide;
}

/** Collects the labels of one metric; null where nobody labelled any. */
export function peopleTally(compared: ComparedMetric, drawn: LabelDraw | undefined) {
  const { people } = compared;
  if (people === undefined) return null;
  const sign = signOf(compared);
  const found: PeopleNumbers = {
    labelled: [],
    ungraded: [],
    own: new Map(),
    examples: [],
    stale: 0,
    open: drawn === undefined ? null : [],
    drawnOf: drawn?.of ?? null,
  };
  return {
    add({ place, result, isGraded, baseline, candidate }: PlacedCase): void {
      if (compared.isExample?.(result) === true) {
        found.examples.push(place);
        return;
      }
      const graded = ownDifference(compared, baseline, candidate);
      if (graded !== null) found.own.set(place, sign * graded);
      const sides = [baseline, candidate] as const;
      if (!isGraded && sides.every(({ runs }) => runs.some(({ answer }) => answer !== null)))
        found.ungraded.push(place);
      const [from, to] = [peopleValue(compared, baseline), peopleValue(compared, candidate)];
      const own = drawn?.cases.get(result.caseId) ?? null;
      found.stale += from.stale + to.stale;
      if (from.value !== null && to.value !== null) {
        const human = sign * (to.value - from.value);
        found.labelled.push({ place, human, baseline: from.value, drawn: own });
      } else if (own !== null) found.open?.push({ place, part: own.part });
    },
    numbers: (): PeopleNumbers => found,
  };
}

/** The value of a side by people: the mean of its labelled runs, an answer that never came counted as the worst; null where they say nothing. */
function peopleValue(compared: ComparedMetric, { runs }: ReadSide): { value: number | null; stale: number } {
  const worst = worstOf(compared);
  const values: number[] = [];
  let [stale, answered, labelled] = [0, 0, 0];
  for (const { job, answer } of runs) {
    if (answer === null) {
      if (worst !== null && job.outcome !== "ok" && job.outcome !== null && endOf(job.outcome).asked)
        values.push(worst);
      continue;
    }
    answered += 1;
    const label = compared.people?.get(job.jobId);
    if (label === undefined) continue;
    if (label.answer !== null && label.answer !== answerMark(answer)) {
      stale += 1;
      continue;
    }
    labelled += 1;
    values.push(label.value);
  }
  const isOpen = values.length === 0 || (answered > 0 && labelled === 0);
  return { value: isOpen ? null : values.reduce((sum, value) => sum + value, 0) / values.length, stale };
}

/** The difference by what the judge said itself, where a score was edited; null where none was. */
function ownDifference(compared: ComparedMetric, baseline: ReadSide, candidate: ReadSide): number | null {
  const isEdited = ({ job }: Run): boolean => scoreOf(compared, job)?.edit !== undefined;
  if (!baseline.runs.some(isEdited) && !candidate.runs.some(isEdited)) return null;
  const [from, to] = [ownMean(compared, baseline), ownMean(compared, candidate)];
  return from === null || to === null ? null : to - from;
}

function ownMean(compared: ComparedMetric, { runs }: ReadSide): number | null {
  const values = runs.flatMap(({ job }) => {
    const score = scoreOf(compared, job);
    const said = score?.edit?.was ?? score;
    if (said === undefined || said.value === null) return [];
    if (compared.of !== "pass") return [comparedValue(said.value, compared)];
    return said.pass === null ? [] : [said.pass ? 1 : 0];
  });
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function scoreOf({ places }: ComparedMetric, job: Run["job"]): Run["job"]["scores"][number] {
  return job.scores[places.get(job.targetId) ?? -1];
}
