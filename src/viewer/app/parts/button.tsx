import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { CopyIcon, DoneIcon, OpenIcon } from "./icons.tsx";
import { byHandWords, useCopy } from "./use-copy.ts";

interface Look {
  /** True for the one thing to do next. */
  isMain?: boolean;
  children: ComponentChildren;
}

const classOf = (isMain: boolean): string => (isMain ? "button main" : "button");

/** A button that does something here. */
export function Button({ isMain = false, act, children }: Look & { act: () => void }) {
  return (
    <button type="button" class={classOf(isMain)} dir="auto" onClick={act}>
      {children}
    </button>
  );
}

/** A button that leads somewhere else. */
export function ButtonLink({ isMain = false, href, children }: Look & { href: string }) {
  return (
    <a class={classOf(isMain)} href={href} dir="auto">
      {children} <OpenIcon />
    </a>
  );
}

/** A button that copies a whole command, which it shows under the pointer. */
export function CopyButton({ isMain = false, text, children }: Look & { text: string }) {
  const code = useRef<HTMLElement>(null);
  const { said, copy } = useCopy(text);
  return (
    <span class="copy-button">
      <button type="button" class={classOf(isMain)} title={text} onClick={() => void copy(code.current)}>
        {children} {said === "Copied" ? <DoneIcon /> : <CopyIcon />}
      </button>
      <code class={said === byHandWords ? "" : "unseen"} dir="ltr" ref={code}>
        {text}
      </code>
      <span class="quiet" aria-live="polite">
        {said}
      </span>
    </span>
  );
}
