import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { type QueryCompletion, completionsAt, type Continuation } from "../../../report/query/completion.ts";
import type { QueryFault } from "../../../report/query/query-text.ts";
import { queryFrame } from "../../../report/query/row-conditions.ts";
import { rowTerms } from "../../../report/query/row-terms.ts";
import { faultOfQuery } from "../data/query.ts";
import { Menu } from "../parts/menu.tsx";
import { useReport } from "../parts/report.tsx";

const untouched: QueryCompletion = { from: 0, to: 0, continuations: [] };

/**
 * The box that rows are searched and asked for in. A query is used when typing pauses for a moment, so that no letter
 * waits for a search, and once it can be read: until then the list stays as it was. `text`: the query that the list shows.
 */
export function QueryBox({ text, setText }: { text: string; setText: (text: string) => void }) {
  const { summary, candidate } = useReport();
  const [typed, setTyped] = useState(text);
  const [completion, complete] = useState(untouched);
  const [chosen, choose] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const id = useId();
  // A text that was handed on comes back when more may have been typed since.
  const handedOn = useRef(text);
  useEffect(() => {
    if (text !== handedOn.current) setTyped(text);
    handedOn.current = text;
  }, [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const frame = useMemo(() => {
    const valuesOf = (tag: string): string[] => (summary.tags[tag] ?? []).map(({ value }) => value);
    return { ...queryFrame(summary), valuesOf };
  }, [summary]);
  const fault = faultOfQuery(typed, summary, candidate);

  const close = (): void => {
    complete(untouched);
    choose(-1);
  };
  const write = (next: string, caret: number): void => {
    setTyped(next);
    const piece = /\S*$/u.exec(next.slice(0, caret))?.[0] ?? "";
    complete(piece === "" ? untouched : completionsAt(next, caret, frame));
    choose(-1);
    clearTimeout(timer.current);
    if (faultOfQuery(next, summary, candidate) === null) {
      timer.current = window.setTimeout(() => {
        handedOn.current = next;
        setText(next);
      }, 25);
    }
  };
  const take = ({ text: wanted, isWhole }: Continuation): void => {
    const { from, to } = completion;
    const next = `${typed.slice(0, from)}${wanted}${isWhole ? " " : ""}${typed.slice(to).replace(/^ /u, "")}`;
    const caret = from + wanted.length + (isWhole ? 1 : 0);
    write(next, caret);
    if (isWhole) close();
    requestAnimationFrame(() => {
      input.current?.focus();
      input.current?.setSelectionRange(caret, caret);
    });
  };
  const { continuations } = completion;
  const isOpen = continuations.length > 0;
  const step = (by: number): void => {
    const count = continuations.length;
    choose((before) => (before + by + count + (before === -1 && by < 0 ? 1 : 0)) % count);
  };
  const press = (event: KeyboardEvent): void => {
    const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (isArrow) {
      event.preventDefault();
      if (isOpen) step(event.key === "ArrowDown" ? 1 : -1);
      else complete(completionsAt(typed, input.current?.selectionStart ?? typed.length, frame));
      return;
    }
    const wanted = continuations[chosen];
    if ((event.key === "Enter" || event.key === "Tab") && wanted !== undefined) {
      event.preventDefault();
      take(wanted);
      return;
    }
    if (event.key === "Enter") close();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (isOpen) close();
    else if (typed === "") input.current?.blur();
    else write("", 0);
  };
  return (
    <div
      class="search"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) close();
      }}
    >
      <label class="unseen" for="search">
        Search in questions, answers, keys and errors, or ask: worse time&gt;2s
      </label>
      <input
        ref={input}
        id="search"
        type="search"
        dir="auto"
        role="combobox"
        list={undefined}
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen === -1 ? undefined : `${id}-${chosen}`}
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        placeholder="Search, or ask: worse time>2s"
        value={typed}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value, selectionStart } }) => write(value, selectionStart ?? value.length)}
        onKeyDown={press}
      />
      <kbd aria-hidden="true">/</kbd>
      <ul role="listbox" id={`${id}-list`} aria-label="Ways to go on" class="continuations" hidden={!isOpen}>
        {continuations.map((each, place) => (
          <li
            key={each.text}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === chosen}
            // The box keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(each)}
          >
            <code>
              <bdi>{each.text}</bdi>
            </code>
            <span class="quiet">{each.about}</span>
          </li>
        ))}
      </ul>
      {fault !== null && !isOpen && <Fault id={`${id}-fault`} text={typed} fault={fault} isShown={typed === text} />}
    </div>
  );
}

/** Characters around a fault that are shown of a long query. */
const around = 60;

/** The place that cannot be understood, and what would be. */
function Fault(props: { id: string; text: string; fault: QueryFault; isShown: boolean }) {
  const { id, text, fault, isShown } = props;
  const before = text.slice(Math.max(0, fault.at - around), fault.at);
  const at = text.slice(fault.at, fault.at + around);
  return (
    <div class="query-fault" id={id} aria-live="polite">
      <p>
        <code dir="ltr">
          {fault.at > around && "…"}
          {before}
          <mark>{at === "" ? "␣" : at}</mark>
        </code>
      </p>
      <p dir="auto">
        Character {fault.at + 1}: {fault.message}. {fault.hint}
      </p>
      {!isShown && <p class="quiet">The list is still the one before.</p>}
    </div>
  );
}

/** The words of the query language, as they are declared. */
export function QueryWords() {
  const { tags, columns } = queryFrame(useReport().summary);
  return (
    <Menu kind="exports query-words" name="Words">
      {() => (
        <div>
          <p>
            Conditions beside each other must all hold; <code>or</code>, <code>not</code> or <code>-</code>, and
            parentheses join them otherwise. Anything else is searched for; quotes keep a text together.
          </p>
          <dl>
            {rowTerms.map(({ name, example, about }) => (
              <div key={name}>
                <dt>
                  <code>{example}</code>
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
            <Names kind="Tags" names={tags} />
            <Names kind="Columns" names={columns} />
          </dl>
        </div>
      )}
    </Menu>
  );
}

function Names({ kind, names }: { kind: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <dt>{kind}</dt>
      <dd>
        {names.map((name, place) => (
          <span key={name}>
            {place > 0 && ", "}
            <bdi>{name}</bdi>
          </span>
        ))}
      </dd>
    </div>
  );
}
