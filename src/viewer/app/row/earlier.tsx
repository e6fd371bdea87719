import { useEffect, useState } from "preact/hooks";
import type { ReportRow } from "../../../report/shape/model.ts";
import { questionOfRow } from "../../../report/model/row-figures.ts";
import type { AnswerSide } from "./shown-answers.ts";
import { useReport } from "../parts/report.tsx";

/** The turns of the conversation that came before the row: what was asked, and what each side said to it. */
export function EarlierTurns({ row, sides }: { row: ReportRow; sides: readonly AnswerSide[] }) {
  const { source, setAddress, nameOf } = useReport();
  const [turns, setTurns] = useState<ReportRow[]>([]);
  // Rows of a file that is still read may come later.
  const ready = source.ready();
  useEffect(() => {
    let wanted = true;
    if (row.cluster !== null) void source.earlier(row).then((found) => wanted && setTurns(found));
    return () => {
      wanted = false;
    };
  }, [source, row, ready]);
  if (turns.length === 0) return null;
  return (
    <section class="earlier" aria-labelledby="earlier-turns">
      <h3 id="earlier-turns">Earlier in this conversation</h3>
      <ol>
        {turns.map((turn) => (
          <li key={turn.key}>
            <p class="turn-asked">
              <button type="button" class="link" onClick={() => setAddress({ row: turn.key }, true)}>
                turn {turn.turn}
              </button>{" "}
              <span dir="auto">{brief(questionOfRow(turn))}</span>
            </p>
            {answersOf(turn, sides, nameOf).map(({ name, text }) => (
              <p key={name} class="turn-said">
                <b>
                  <bdi>{name}</bdi>
                </b>{" "}
                <span dir="auto">{brief(text)}</span>
              </p>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Answers of each side; one where all said the same. */
function answersOf(
  turn: ReportRow,
  sides: readonly AnswerSide[],
  nameOf: (name: string) => string,
): { name: string; text: string }[] {
  const said = sides.flatMap(({ name, place }) => {
    const run = turn.sides[place]?.runs[0];
    return run === undefined ? [] : [{ name: nameOf(name), text: run.answer ?? run.error ?? "(no answer)" }];
  });
  const [first, ...others] = said;
  if (first === undefined || others.length === 0 || others.some(({ text }) => text !== first.text)) return said;
  return [{ name: said.map(({ name }) => name).join(", "), text: first.text }];
}

/** Enough to know what it was about; the turn itself has all of it. */
const mostShown = 280;

function brief(text: string): string {
  return text.length <= mostShown ? text : `${text.slice(0, mostShown).replace(/[\ud800-\udbff]$/, "")} …`;
}
