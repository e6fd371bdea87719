import { useState } from "preact/hooks";
import { number } from "../../../report/words/quantity.ts";

/** Characters of a long text that are shown at first, and more with every click. */
const atOnce = 20_000;

/** A text of any length in parts, so that the page stays quick: a browser takes long to draw a single huge one. */
export function LongText({ text }: { text: string }) {
  const [until, setUntil] = useState(atOnce);
  if (text.length <= until * 1.25) return <>{text}</>;
  const shown = text.slice(0, until).replace(/[\ud800-\udbff]$/, "");
  return (
    <>
      {shown}
      <button type="button" class="fold" onClick={() => setUntil(until + atOnce)}>
        Show {number(Math.min(atOnce, text.length - shown.length))} of {number(text.length - shown.length)} more
        characters
      </button>
    </>
  );
}
