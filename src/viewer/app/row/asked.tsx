import type { ReportRow } from "../../../report/shape/model.ts";
import { hasPrompt } from "../../../report/model/row-figures.ts";
import type { SetAddress } from "../data/address.ts";
import { Facts } from "../parts/facts.tsx";
import { LongText } from "../parts/long-text.tsx";
import { showRows } from "../parts/show-rows.ts";

/** Short fields beside the prompt are shown like tags, and once where a tag says the same. */
function isShort({ text }: { text: string }, index: number): boolean {
  return index > 0 && text.length < 60;
}

/** The question, the expected answer, and the tags of the row. */
export function Asked({ row, setAddress }: { row: ReportRow; setAddress: SetAddress }) {
  const { input, expected, tags, cluster, turn } = row;
  const isPrompt = hasPrompt(row);
  const long = isPrompt ? input.filter((field, index) => !isShort(field, index)) : [];
  const short = isPrompt
    ? input.filter((field, index) => isShort(field, index) && !Object.values(tags).includes(field.text))
    : [];
  return (
    <section class="asked">
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
        </div>
      )}
      <p class="tags">
        {Object.entries(tags).map(([name, value]) => (
          <span key={name} class="tag">
            {name} <b dir="auto">{value}</b>
          </span>
        ))}
        {short.map(({ field, text }) => (
          <span key={field} class="tag">
            {field} <b dir="auto">{text}</b>
          </span>
        ))}
        {cluster !== null && (
          <span class="tag">
            conversation{" "}
            <button
              type="button"
              class="link"
              title="Show the rows of this conversation"
              onClick={() => showRows(setAddress, { row: null, text: cluster, sort: "place" })}
            >
              <b dir="auto">{cluster}</b>
            </button>
            , turn {turn}
          </span>
        )}
      </p>
    </section>
  );
}
