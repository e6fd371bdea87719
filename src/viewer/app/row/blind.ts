import type { Label } from "../../api.ts";
import { useAuthor } from "../edit/author.ts";
import { type BlindAnswers, labelBy } from "../edit/judging.ts";
import { useReport } from "../parts/report.tsx";
import type { AnswerSide } from "./shown-answers.ts";

/** Names under which answers were labelled in this page: who writes it only afterwards still has labelled them. */
const labelledAs = new Map<number, string>();

/** Rows of answers, with true for those that stand the other way round: by chance, and the same each time they are shown. */
const turns = new Map<string, boolean>();

function isFlipped(jobs: string): boolean {
  const known = turns.get(jobs) ?? Math.random() < 0.5;
  turns.set(jobs, known);
  return known;
}

const letters = ["A", "B"] as const;

/** Answers as A and B in an order by chance, until the one who judges has labelled each; `labels` null: not known yet. */
export function useBlind(
  named: readonly AnswerSide[],
  { isBlind, labels }: { isBlind: boolean; labels: Readonly<Record<string, Label[]>> | null },
): BlindAnswers & { sides: AnswerSide[] } {
  const author = useAuthor()[0].trim();
  const { nameOf } = useReport();
  const jobs = named.flatMap(({ run }) => (run?.answer ? [run.jobId] : []));
  const ordered = isBlind && isFlipped(jobs.join(" ")) ? named.toReversed() : [...named];
  const isLabelled = (jobId: number): boolean => {
    const own = labels?.[jobId] ?? [];
    return [author, labelledAs.get(jobId)].some(
      (name) => name !== undefined && labelBy(own, { scorer: "", author: name }) !== undefined,
    );
  };
  const isHidden = isBlind && !jobs.every(isLabelled);
  const told = ordered.map(({ name }, place) => `${letters[place] ?? ""} is ${nameOf(name)}`).join(", ");
  return {
    sides: isBlind ? ordered.map((side, place) => lettered(side, letters[place] ?? "B", isHidden)) : ordered,
    isHidden,
    told: isBlind && !isHidden ? `${told}.` : "",
    onKept: (jobId, name) => void labelledAs.set(jobId, name),
  };
}

function lettered(side: AnswerSide, letter: "A" | "B", isHidden: boolean): AnswerSide {
  return isHidden ? { ...side, name: letter, look: null } : { ...side, letter };
}
