import { useState } from "preact/hooks";
import { number } from "../../../report/say/quantity.ts";

/** Characters of a long text that are shown at first, and more with every click. */
const atOnce = 20_000;

/** A text of any length in parts, so that the page stays quick: a browser takes long to draw a single huge one. */
export function LongText({ text }: { text: string }) {
  const [until, setUntil] = useState(atOnce);
  if (text.length <= atOnce * 1.25) return <>{text}</>;
  const shown = text.slice(0, until);
  const rest = text.length - shown.length;
  return (
    <>
      {partsOf(shown)}
      {rest > 0 && (
        <button type="button" class="fold" onClick={() => setUntil(until + atOnce)}>
          Show {number(Math.min(atOnce, rest))} of {number(rest)} more characters
        </button>
      )}
    </>
  );
}

/** The text in pieces that are each drawn as they are, none of which ends in half of a character. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const part = text.slice(at, at + atOnce).replace(/(?<=.)[\ud800-\udbff]$/s, "");
    parts.push(part);
    at += part.length;
  }
  return parts;
}
