import { useEffect } from "preact/hooks";
import type { NewVote, Vote } from "../../api.ts";
import { useAuthor } from "../edit/author.ts";
import { votesOfPair } from "../edit/judgements.ts";
import type { BlindPair, VoteChoice } from "../edit/judging.ts";
import { useTargetNames } from "../parts/target-name.tsx";
import type { AnswerSide } from "./shown-answers.ts";

/** Answers whose names stood beside them: who judges them again is not blind any more. */
const seen = new Set<number>();

/** Name under which two answers were voted on in this page: who writes it only afterwards still has voted. */
const votedAs = new Map<string, string>();

/** Pairs of answers, with true for those that stand the other way round: by chance, and the same each time they are shown. */
const turns = new Map<string, boolean>();

function isFlipped(pair: string): boolean {
  const known = turns.get(pair) ?? Math.random() < 0.5;
  turns.set(pair, known);
  return known;
}

/** Answers as A and B in an order by chance, until the one who judges has chosen; `votes` null: not known yet. */
export function useBlind(
  named: readonly AnswerSide[],
  { isBlind, votes }: { isBlind: boolean; votes: readonly Vote[] | null },
): BlindPair & { sides: AnswerSide[]; isHidden: boolean } {
  const author = useAuthor()[0].trim();
  const nameOf = useTargetNames();
  const jobOf = (role: AnswerSide["role"]): number => named.find((side) => side.role === role)?.run?.jobId ?? 0;
  const [baselineJob, candidateJob] = [jobOf("baseline"), jobOf("candidate")];
  const pair = `${baselineJob} ${candidateJob}`;
  const ordered = isBlind && isFlipped(pair) ? named.toReversed() : named;
  const [first, second] = ordered;
  const ofPair = votesOfPair(votes ?? [], { baselineJob, candidateJob });
  const own = ofPair.find((vote) => vote.author === author) ?? ofPair.find((vote) => vote.author === votedAs.get(pair));
  const chosen = own === undefined ? null : choiceOf(own.better, first);
  const isHidden = isBlind && chosen === null;
  const jobs = named.flatMap(({ run }) => run?.jobId ?? []);
  useEffect(() => {
    if (!isHidden) for (const job of jobs) seen.add(job);
  }, [isHidden, jobs.join(" ")]);
  const wasSeen = jobs.some((job) => seen.has(job));
  const better = (choice: VoteChoice): NewVote["better"] =>
    (choice === "neither" ? null : (choice === "A" ? first : second)?.role) ?? "neither";
  return {
    sides: isBlind ? ordered.map((side, index) => lettered(side, index === 0 ? "A" : "B", isHidden)) : [...named],
    isHidden,
    chosen,
    told: !isBlind
      ? ""
      : own === undefined || chosen === null
        ? beforeVote(wasSeen)
        : afterVote(
            own,
            ordered.map(({ name }) => nameOf(name)),
            chosen,
          ),
    vote: (choice) => ({ baselineJob, candidateJob, better: better(choice), blind: isHidden && !wasSeen }),
    onKept: (name) => void votedAs.set(pair, name),
  };
}

function choiceOf(better: Vote["better"], first: AnswerSide | undefined): VoteChoice {
  if (better === "neither") return "neither";
  return better === first?.role ? "A" : "B";
}

function lettered(side: AnswerSide, letter: "A" | "B", isHidden: boolean): AnswerSide {
  return isHidden ? { ...side, name: letter, look: null } : { ...side, letter };
}

function beforeVote(wasSeen: boolean): string {
  return wasSeen ? "You have seen this row's names: a vote is kept, but not counted as blind." : "";
}

function afterVote({ blind }: Vote, [first = "", second = ""]: readonly string[], chosen: VoteChoice): string {
  return [
    `A is ${first}, B is ${second}.`,
    chosen === "neither" ? "You found no difference." : `You chose ${chosen}.`,
    ...(blind ? [] : ["You had seen the names: it does not count as blind."]),
  ].join(" ");
}
