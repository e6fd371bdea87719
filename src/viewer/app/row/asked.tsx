import { tagName } from "../../../report/say/names.ts";
import { isMadeKey } from "../../../compare/cases/made-key.ts";
import type { ReportRow } from "../../../report/shape/model.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { hasPrompt } from "../../../report/model/row-figures.ts";
import { Facts } from "../parts/facts.tsx";
import { LongText } from "../parts/long-text.tsx";
import { expectedIn } from "./expected-text.ts";
import { TargetName } from "../parts/target-name.tsx";
import type { AnswerSide } from "./shown-answers.ts";
import { RowsLink } from "../parts/rows-link.tsx";

/** Short fields beside the prompt are shown like tags, and once where a tag says the same. */
function isShort({ text }: { text: string }, index: number): boolean {
  return index > 0 && text.length < 60;
}

/** The turns before the prompt that are sent with it. */
const isEarlier = ({ field }: { field: string }, index: number): boolean =>
  index > 0 && /(?:^|\.)messages$/.test(field);

/** The question, the expected answer, and the tags of the row. */
export function Asked(props: {
  row: ReportRow;
  sides: readonly AnswerSide[];
  /** Who judges has no names yet: nothing hints at which answer is right. */
  isBlind: boolean;
}) {
  const { row, sides, isBlind } = props;
  const { input, expected, tags } = row;
  const isPrompt = hasPrompt(row);
  const long = isPrompt ? input.filter((field, index) => !isShort(field, index) && !isEarlier(field, index)) : [];
  const short = isPrompt
    ? input.filter((field, index) => isShort(field, index) && !Object.values(tags).includes(field.text))
    : [];
  return (
    <section class="asked">
      {isPrompt &&
        input.filter(isEarlier).map(({ field, text }) => (
          <div key={field} class="earlier">
            <h3>Earlier, sent with it as {field}</h3>
            <p class="text" dir="auto">
              <LongText text={text} />
            </p>
          </div>
        ))}
      {long.map(({ field, text }, index) => (
        <div key={field}>
          <h3 class={index === 0 ? "unseen" : ""}>{field}</h3>
          <p class={index === 0 ? "prompt text" : "text"} dir="auto">
            <LongText text={text} />
          </p>
        </div>
      ))}
      {!isPrompt && <Facts facts={input.map(({ field, text }) => [field, text])} />}
      {expected !== null && (
        <div class="expected">
          <h3>Expected</h3>
          <p class="text" dir="auto">
            <LongText text={expected} />
          </p>
          {!isBlind && <Stands expected={expected} sides={sides} />}
        </div>
      )}
      <p class="tags">
        {row.row !== null && !isMadeKey(row.key) && (
          <span class="tag">
            key{" "}
            <b class="key" dir="auto">
              {row.key}
            </b>
          </span>
        )}
        {[
          ...Object.entries(tags).map(([name, value]) => [tagName(name), value] as const),
          ...short.map(({ field, text }) => [field, text] as const),
        ].map(([name, value], place) => (
          <span key={`${place} ${name}`} class="tag">
            {name} <b dir="auto">{value}</b>
          </span>
        ))}
        <Conversation row={row} />
      </p>
    </section>
  );
}

/** The conversation that a turn is of, which leads to its rows. */
function Conversation({ row: { cluster, turn } }: { row: ReportRow }) {
  if (cluster === null) return null;
  return (
    <span class="tag">
      conversation{" "}
      <RowsLink to={{ group: rowGroup.conversation(cluster), sort: "place" }}>
        <b dir="auto">{cluster}</b>
      </RowsLink>
      , turn {turn}
    </span>
  );
}

/** Whose answer has the expected text as it stands; nothing where no answer has it. */
function Stands({ expected, sides }: { expected: string; sides: readonly AnswerSide[] }) {
  const answers = sides.flatMap(({ name, run }) =>
    run === undefined || run.answer === null ? [] : [{ name, has: expectedIn(run.answer, expected).length > 0 }],
  );
  if (!answers.some(({ has }) => has)) return null;
  return (
    <p class="facts">
      {answers.map(({ name, has }) => (
        <span key={name}>
          <span aria-hidden="true">{has ? "◆" : "◇"}</span> <TargetName name={name} />{" "}
          {has ? "has these words" : "does not have these words"}
        </span>
      ))}
    </p>
  );
}
