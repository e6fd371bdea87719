import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ReportChange, ReportRow, RunExtras } from "../../../report/shape/model.ts";
import { distanceWords, noiseWords } from "../../../report/say/beside.ts";
import { AnswerView } from "./answer.tsx";
import { FieldTable } from "./field-table.tsx";
import { useMedia } from "../parts/media.ts";
import { expectedIn } from "./expected-text.ts";
import { type Form, formNames, formsOf, defaultForm } from "./forms.ts";
import { durationShown } from "../parts/format.ts";
import { shownAnswers, type AnswerSide } from "./shown-answers.ts";
import { useReport } from "../parts/report.tsx";
import { TargetName } from "../parts/target-name.tsx";
import { decimal } from "../../../report/say/figures.ts";
import { Link } from "../parts/link.tsx";
import { LongText } from "../parts/long-text.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { type ReferenceLine, referenceLines, referenceNotes } from "./reference-lines.ts";

/** The form that was chosen last: it stays while one row follows another. */
let lastForm: Form | null = null;

/** The answers side by side, in the form that a person chooses. */
export function RowAnswers(props: {
  row: ReportRow;
  sides: readonly AnswerSide[];
  change: ReportChange | undefined;
  /** Nothing tells which side an answer is of. */
  isBlind: boolean;
  /** Choices of what is shown, in one line with those of the form. */
  children: ComponentChildren;
}) {
  const { row, sides, change, isBlind, children } = props;
  const { nameOf } = useReport();
  const { form, offered, choose } = useForm(sides, row.expected);
  const [isWhole, setWhole] = useState(false);
  const shown = useMemo(
    () => shownAnswers(sides, { form, expected: row.expected, isWhole }),
    [row, form, isWhole, ...sides.map(({ run }) => run)],
  );
  // Beside the answers where there is room for it, else above them.
  const { expected } = row;
  const isBeside = useMedia(besideWidth) && expected !== null && !isBlind && sides.length === 2;
  const baseline = sides.find(({ role }) => role === "baseline")?.run;
  const isRepeated = row.sides.some(({ runs }) => runs.length > 1);
  return (
    <>
      <FieldTable sides={sides} expected={isBlind ? null : row.expected} />
      <div class="answer-tools">
        {children}
        <FormChoice offered={offered} form={form} choose={choose} />
        {change !== undefined && sides.length === 2 && !isBlind && (
          <Distance
            change={change}
            baseline={nameOf(sides.find(({ role }) => role === "baseline")?.name ?? "the baseline")}
            same={sides[0]?.run?.answer === sides[1]?.run?.answer}
            isAlike={shown.isAlike}
            gaveUp={shown.gaveUp}
          />
        )}
      </div>
      <div
        class={`sides sides-${sides.length} ${isBeside ? "with-expected" : ""}`}
        {...(sides.length > 2 && { role: "group", tabIndex: 0, "aria-label": "Answers" })}
        style={{
          "--columns": sides.length + (isBeside ? 1 : 0),
          "--rows": Math.max(1, ...shown.rows.map((rows) => rows?.length ?? 1)),
        }}
      >
        {isBeside && (
          <section class="side" aria-label="expected">
            <h3>Expected</h3>
            <p class="said" dir="auto">
              <LongText text={expected} />
            </p>
          </section>
        )}
        {sides.map((side, index) => (
          <AnswerView
            key={side.place}
            side={side}
            isBlind={isBlind}
            isAlone={sides.length === 1}
            rows={shown.rows[index] ?? null}
            found={form === "text" && !isBlind ? expectedIn(shown.texts[index] ?? "", row.expected) : []}
            form={form}
            baseline={side.role === "candidate" ? baseline : undefined}
            number={isRepeated ? side.run?.repeat : undefined}
            showWhole={() => setWhole(true)}
          />
        ))}
      </div>
      {sides.length > 1 && <References sides={sides} isBlind={isBlind} />}
    </>
  );
}

/** The width from which the expected answer stands beside the others. */
const besideWidth = "(min-width: 1500px)";

/** The forms that fit these answers, and the one in which they are shown. */
function useForm(sides: readonly AnswerSide[], expected: string | null) {
  const [chosen, choose] = useState(lastForm);
  const said = sides.flatMap(({ run }) => run?.answer ?? []);
  const offered = formsOf(said, expected);
  const form = offered.find((each) => each === chosen) ?? defaultForm(said);
  return { form, offered, choose: (each: Form): void => choose((lastForm = each)) };
}

function FormChoice(props: { offered: readonly Form[]; form: Form; choose: (form: Form) => void }) {
  const { offered, form, choose } = props;
  if (offered.length < 2) return null;
  return (
    <div class="filters" role="group" aria-label="How answers are shown">
      {offered.map((each) => (
        <button key={each} type="button" aria-pressed={each === form} onClick={() => choose(each)}>
          {formNames[each]}
        </button>
      ))}
    </div>
  );
}

/** Answers that were asked for sooner after one another say the same of the targets. */
const farApartMs = 600_000;

interface DistanceProps {
  change: ReportChange;
  baseline: string;
  same: boolean;
  isAlike: boolean;
  gaveUp: boolean;
}

function Distance({ change, baseline, same, isAlike, gaveUp }: DistanceProps) {
  if (same) return <p class="quiet">Both answers are the same, letter by letter.</p>;
  if (isAlike)
    return <p class="quiet">Both have the same words; only spaces, ends of lines or the form of letters differ.</p>;
  const { distance, noise, gapMs } = change;
  return (
    <p class="quiet">
      {distance !== null && distanceWords(distance)}
      {distance !== null && noise !== null && noiseWords(noise, baseline)}
      {gapMs !== null && gapMs >= farApartMs && `; asked ${durationShown(gapMs)} apart`}
      {gaveUp && "; too long or too different to compare every word"}
    </p>
  );
}

/** The head of a table with a column for each of the answers that stand side by side. */
export function SideHeads({ first, sides }: { first: string; sides: readonly AnswerSide[] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {sides.map(({ place, name }) => (
          <th scope="col" key={place}>
            <TargetName name={name} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The references of the answers side by side: where each side has one, and with which score. */
function References({ sides, isBlind }: { sides: readonly AnswerSide[]; isBlind: boolean }) {
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
