import { useRef } from "preact/hooks";
import { CopyIcon, DoneIcon } from "./icons.tsx";
import { useCopy } from "./use-copy.ts";
import { WholeFlags } from "./whole-flags.tsx";

/**
 * A command or lines of a suite, with a button that copies them; where nobody may, they are chosen, so that two keys do. `look`: a
 * sign within a sentence, a button, or the one thing to do next.
 */
export function CopiedCode({ text, look = "sign" }: { text: string; look?: "sign" | "button" | "main" }) {
  const code = useRef<HTMLElement>(null);
  const { said, copy } = useCopy(text);
  const isSign = look === "sign";
  return (
    <span class={isSign ? "copied-code" : "copy-button"}>
      <code ref={code} dir="ltr">
        <WholeFlags text={text} />
      </code>
      <button
        type="button"
        class={isSign ? "copy" : look === "main" ? "button main" : "button"}
        onClick={() => void copy(code.current)}
        aria-label={`Copy ${text}`}
        title="Copy"
      >
        {said === "Copied" ? <DoneIcon /> : <CopyIcon />}
        {!isSign && " Copy"}
      </button>
      <span class="quiet" aria-live="polite">
        {said}
      </span>
    </span>
  );
}
