import { useEffect, useRef, useState } from "preact/hooks";
import type { TagValue } from "../../tags.ts";
import { number } from "../../../report/words/quantity.ts";

interface Offered {
  value: string;
  /** Null for one that a link names: only the most frequent values of a tag are counted. */
  cases: number | null;
}

/** Choices of values for each tag: a row is shown if it has one of the values of every tag that is chosen. */
export function TagChoices(given: {
  tags: Record<string, { value: string; cases: number }[]>;
  chosen: readonly TagValue[];
  choose: (tags: TagValue[]) => void;
}) {
  const { tags, chosen, choose } = given;
  return Object.entries(tags).map(([name, values]) => {
    const own = chosen.flatMap((each) => (each.name === name ? [each.value] : []));
    const others = chosen.filter((each) => each.name !== name);
    const unlisted = own.filter((value) => !values.some((each) => each.value === value));
    return (
      <TagChoice
        key={name}
        name={name}
        offered={[...unlisted.map((value) => ({ value, cases: null })), ...values]}
        chosen={own}
        choose={(wanted) => choose([...others, ...wanted.map((value) => ({ name, value }))])}
      />
    );
  });
}

function TagChoice(given: { name: string; offered: Offered[]; chosen: string[]; choose: (values: string[]) => void }) {
  const { name, offered, chosen, choose } = given;
  const box = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  useClickElsewhere(box, isOpen, close);
  return (
    <details
      ref={box}
      class="choice"
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        keepInSight(event.currentTarget);
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && box.current?.contains(relatedTarget) === false) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        close();
        box.current?.querySelector("summary")?.focus();
      }}
    >
      <summary>
        <span>
          {chosen.length === 0 ? (
            `Every ${name}`
          ) : (
            <>
              <span class="unseen">{name}: </span>
              {joined(chosen)}
            </>
          )}
        </span>
      </summary>
      <fieldset tabIndex={-1}>
        <legend class="unseen">{name}</legend>
        {offered.map(({ value, cases }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ currentTarget: { checked } }) =>
                choose(checked ? [...chosen, value] : chosen.filter((each) => each !== value))
              }
            />
            <span>
              <bdi>{shown(value)}</bdi> {cases !== null && <span class="quiet">({number(cases)})</span>}
            </span>
          </label>
        ))}
        <button
          type="button"
          class="link"
          disabled={chosen.length === 0}
          onClick={() => {
            choose([]);
            close();
            box.current?.querySelector("summary")?.focus();
          }}
        >
          Every {name}
        </button>
      </fieldset>
    </details>
  );
}

/** Each value by itself, whichever way its script runs. */
function joined(values: readonly string[]) {
  return values.map((value, index) => (
    <span key={value}>
      {index > 0 && " or "}
      <bdi>{shown(value)}</bdi>
    </span>
  ));
}

function shown(value: string): string {
  return value === "" ? "(empty)" : value;
}

/** Opens a box towards the other side when it stands near the edge of the screen. */
function keepInSight(box: HTMLDetailsElement): void {
  box.classList.remove("from-end");
  const { right = 0 } = box.querySelector("fieldset")?.getBoundingClientRect() ?? {};
  box.classList.toggle("from-end", right > document.documentElement.clientWidth);
}

function useClickElsewhere(box: { current: HTMLElement | null }, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const listen = ({ target }: Event): void => {
      if (target instanceof Node && box.current?.contains(target) === false) close();
    };
    document.addEventListener("pointerdown", listen);
    return () => document.removeEventListener("pointerdown", listen);
  }, [isOpen]);
}
