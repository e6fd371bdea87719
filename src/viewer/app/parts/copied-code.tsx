import { useRef } from "preact/hooks";
import { CopyIcon, DoneIcon } from "./icons.tsx";
import { useCopy } from "./use-copy.ts";
import { WholeFlags } from "./whole-flags.tsx";

/** A command or lines of a suite, with a button that copies them; where nobody may, they are chosen, so that two keys do. */
export function CopiedCode({ text }: { text: string }) {
  const code = useRef<HTMLElement>(null);
  const { said, copy } = useCopy(text);
  return (
    <span class="copied-code">
      <code ref={code} dir="ltr">
        <WholeFlags text={text} />
      </code>
      <button
        type="button"
        class="copy"
        onClick={() => void copy(code.current)}
        aria-label={`Copy ${text}`}
        title="Copy"
      >
        {said === "Copied" ? <DoneIcon /> : <CopyIcon />}
        <span aria-live="polite">{said}</span>
      </button>
    </span>
  );
}
