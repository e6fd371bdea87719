import type { RunExtras } from "../../../report/shape/model.ts";
import { decimal } from "../../../report/words/figures.ts";
import { Link } from "../parts/link.tsx";
import { LongText } from "../parts/long-text.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { type ReferenceLine, type ReferencePlace, referenceLines } from "./reference-lines.ts";
import type { AnswerSide } from "./shown-answers.ts";

/** The references of the answers side by side: where each side has one, and with which score. */
export function References({ sides }: { sides: readonly AnswerSide[] }) {
  const lines = referenceLines(sides.map(({ run }) => run?.extras?.references ?? []));
  if (lines.length === 0) return null;
  const baseline = sides.findIndex(({ role }) => role === "baseline");
  return (
    <section>
      <h3>References</h3>
      <ScrollTable name="References" kind="reference-table">
        <thead>
          <tr>
            <th scope="col">Reference</th>
            {sides.map(({ place, name }) => (
              <th scope="col" key={place}>
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index}>
              <td>
                <Link url={line.url} text={line.title ?? line.url} />
                <Snippet text={line.snippet} />
              </td>
              {sides.map(({ place, role }, at) => (
                <ReferenceCell
                  key={place}
                  line={line}
                  at={at}
                  beside={role === "candidate" && baseline !== -1 ? (line.places[baseline] ?? null) : undefined}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

/** `beside`: its place in the baseline; null: the baseline does not have it, undefined: nothing is compared. */
function ReferenceCell(given: { line: ReferenceLine; at: number; beside: ReferencePlace | null | undefined }) {
  const { line, at, beside } = given;
  const own = line.places[at] ?? null;
  const told = beside === undefined ? null : wordsBeside(beside, own);
  return (
    <td>
      {own === null ? "–" : `[${own.number}]`}
      {own !== null && own.score !== null && ` score ${decimal(own.score, 2)}`}
      {told !== null && <b class="note">{told}</b>}
      {own !== null && own.snippet !== line.snippet && <Snippet text={own.snippet} />}
    </td>
  );
}

function wordsBeside(before: ReferencePlace | null, now: ReferencePlace | null): string | null {
  if (before === null) return now === null ? null : "+ not in the baseline";
  if (now === null) return "− no longer given";
  const [from, to] = [before.score, now.score];
  if (from !== null && to !== null && decimal(from, 2) !== decimal(to, 2))
    return `${decimal(Math.abs(to - from), 2)} ${to > from ? "higher" : "lower"}`;
  return before.number === now.number ? null : `was [${before.number}]`;
}

function Snippet({ text }: { text: RunExtras["searchQuery"] | null }) {
  if (text === undefined || text === null) return null;
  return (
    <p class="quiet snippet" dir="auto">
      <LongText text={text} />
    </p>
  );
}
