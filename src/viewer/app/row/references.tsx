import type { RunExtras } from "../../../report/shape/model.ts";
import { decimal } from "../../../report/words/figures.ts";
import { Link } from "../parts/link.tsx";
import { LongText } from "../parts/long-text.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { type ReferenceLine, referenceLines, referenceNotes } from "./reference-lines.ts";
import { SideHeads } from "./side-heads.tsx";
import type { AnswerSide } from "./shown-answers.ts";

/** The references of the answers side by side: where each side has one, and with which score. */
export function References({ sides, isBlind }: { sides: readonly AnswerSide[]; isBlind: boolean }) {
  const lines = referenceLines(sides.map(({ run }) => run?.extras?.references ?? []));
  if (lines.length === 0) return null;
  const roles = sides.map(({ role }) => role);
  return (
    <section>
      <h3>References</h3>
      <ScrollTable name="References" kind="reference-table">
        <SideHeads first="Reference" sides={sides} />
        <tbody>
          {lines.map((line, index) => (
            <tr key={index}>
              <td>
                <Link url={line.url} text={line.title ?? line.url} />
                <Snippet text={line.snippet} />
              </td>
              {referenceNotes(line, { roles, isBlind }).map((note, at) => (
                <ReferenceCell key={at} line={line} at={at} note={note} />
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

function ReferenceCell({ line, at, note }: { line: ReferenceLine; at: number; note: string | null }) {
  const own = line.places[at] ?? null;
  return (
    <td>
      {own === null ? "–" : `[${own.number}]`}
      {own !== null && own.score !== null && ` score ${decimal(own.score, 2)}`}
      {note !== null && <b class="note">{note}</b>}
      {own !== null && own.snippet !== line.snippet && <Snippet text={own.snippet} />}
    </td>
  );
}

function Snippet({ text }: { text: RunExtras["searchQuery"] | null }) {
  if (text === undefined || text === null) return null;
  return (
    <p class="quiet snippet" dir="auto">
      <LongText text={text} />
    </p>
  );
}
