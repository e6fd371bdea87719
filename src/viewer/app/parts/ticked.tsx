import { CopiedCode } from "./copied-code.tsx";
import { WholeFlags } from "./whole-flags.tsx";

/** A command, or a line of a suite: something to paste, where a name between backticks is none. */
const isToPaste = (part: string): boolean => /^(?:tandem |[a-z_]+: \S)/.test(part);

/**
 * A sentence as every report says it, set for a page: names between backticks stand apart from their neighbours without
 * them, with real arrows and minus signs. Commands and lines of a suite are code; `copies`: each has a button that copies it,
 * which no link may hold.
 */
export function Ticked({ text, copies = false }: { text: string; copies?: boolean }) {
  const parts = text.replaceAll(" -> ", " → ").replaceAll(/(?<=^|[\s(])-(?=\d)/g, "−");
  return (
    <>
      {parts.split(/`([^`]+)`/).map((part, index) => {
        if (index % 2 === 0) return <WholeFlags key={index} text={part} />;
        if (!isToPaste(part))
          return (
            <bdi key={index} class={part.startsWith("--") ? "whole" : undefined}>
              {part}
            </bdi>
          );
        return copies ? <CopiedCode key={index} text={part} /> : <code key={index}>{part}</code>;
      })}
    </>
  );
}
