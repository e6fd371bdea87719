import { useRef, useState } from "preact/hooks";
import { CopyIcon, DoneIcon } from "./icons.tsx";
import { WholeFlags } from "./whole-flags.tsx";

/** Time for which a button says that it copied. */
const saidMs = 2500;

/** A command or lines of a suite, with a button that copies them; where nobody may, they are chosen, so that two keys do. */
export function CopiedCode({ text }: { text: string }) {
  const code = useRef<HTMLElement>(null);
  const [said, say] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      say("Chosen: press Ctrl+C");
    }
    setTimeout(() => say(""), saidMs);
  };
  return (
    <span class="copied-code">
      <code ref={code} dir="ltr">
        <WholeFlags text={text} />
      </code>
      <button type="button" class="copy" onClick={() => void copy()} aria-label={`Copy ${text}`} title="Copy">
        {said === "Copied" ? <DoneIcon /> : <CopyIcon />}
        <span aria-live="polite">{said}</span>
      </button>
    </span>
  );
}
