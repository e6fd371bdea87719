import { momentLabel } from "../../../report/words/night-names.ts";
import type { Vote } from "../../api.ts";
import type { Actions } from "../data/source.ts";
import { judgedWith } from "./judging.ts";

/** Words of people on which of two answers to the row is better. */
export function Votes(given: {
  votes: readonly Vote[];
  /** The target of an answer. */
  nameOf: (jobId: number) => string;
  rowKey: string;
  actions: Actions;
  onChange: () => void;
}) {
  const { votes, nameOf, rowKey, actions, onChange } = given;
  if (votes.length === 0) return null;
  const takeBack = ({ at: _at, ...vote }: Vote): void =>
    void judgedWith(actions)
      .takeBackVote(actions, vote, { what: "the vote taken back", row: rowKey })
      .then(onChange, onChange);
  return (
    <section class="votes">
      <h3>Which is better ({votes.length})</h3>
      <ul>
        {votes.map((vote) => {
          const { baselineJob, candidateJob, better, blind, note, author, at } = vote;
          const [baseline, candidate] = [nameOf(baselineJob), nameOf(candidateJob)];
          return (
            <li key={`${baselineJob} ${candidateJob} ${author}`}>
              <b>
                {better === "neither" ? (
                  <>
                    no difference between <bdi>{candidate}</bdi> and <bdi>{baseline}</bdi>
                  </>
                ) : (
                  <>
                    <bdi>{better === "candidate" ? candidate : baseline}</bdi>, not{" "}
                    <bdi>{better === "candidate" ? baseline : candidate}</bdi>
                  </>
                )}
              </b>{" "}
              <span dir="auto">{note}</span>{" "}
              <span class="quiet">
                <bdi>{author === "" ? "somebody" : author}</bdi>, {momentLabel(at)},{" "}
                {blind ? "blind" : "names were known"}
              </span>{" "}
              <button type="button" class="link" onClick={() => takeBack(vote)}>
                Take back
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
