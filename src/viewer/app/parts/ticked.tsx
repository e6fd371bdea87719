import { sentenceParts } from "../../../report/text/sentence-parts.ts";
import { CopiedCode } from "./copied-code.tsx";
import { WholeFlags } from "./whole-flags.tsx";

/**
 * A sentence as every report says it, set for a page: names between backticks stand apart from their neighbours without
 * them, with real arrows and minus signs. Commands and lines of a suite are code; `copies`: each has a button that copies it,
 * which no link may hold.
 */
export function Ticked({ text, copies = false }: { text: string; copies?: boolean }) {
  const shown = text.replaceAll(" -> ", " → ").replaceAll(/(?<=^|[\s(])-(?=\d)/g, "−");
  return (
    <>
      {sentenceParts(shown).map(({ kind, text: part }, index) => {
        if (kind === "words") return <WholeFlags key={index} text={part} />;
        if (kind === "name")
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
