import { useState } from "preact/hooks";
import { briefMarkdown } from "../../../report/formats/markdown/brief.ts";
import { shortAddress } from "../data/address.ts";
import type { ListQuery } from "../data/source.ts";
import { Button } from "../parts/button.tsx";
import { CopyIcon, SaveIcon } from "../parts/icons.tsx";
import { useReport } from "../parts/report.tsx";

/** Ways to send a night, its row or its view to somebody: a text, a link, a file. */
export function Send({ query }: { query: ListQuery }) {
  const { summary, source, address } = useReport();
  const { actions } = source;
  const [said, say] = useState("");
  const copy = async (text: string, what: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied ${what}.`);
    } catch {
      say("This browser lets nothing be copied.");
    }
  };
  const { row } = address;
  const isOwn = address.against === null && address.sides.length === 0;
  return (
    <details class="views send">
      <summary>Send</summary>
      <div class="views-list">
        <Button act={() => void copy(briefMarkdown(summary), "the summary")}>
          <CopyIcon /> Copy summary
        </Button>
        {actions !== null && isOwn && (
          <Button
            act={() =>
              void copy(`${location.href.split("#")[0] ?? ""}${shortAddress(summary.batch, row)}`, "a short link")
            }
          >
            <CopyIcon /> Copy a short link
          </Button>
        )}
        {actions !== null && (
          <a class="button" href={actions.pageAddress(query, null)} download>
            <SaveIcon /> Save this view as HTML
          </a>
        )}
        <p aria-live="polite" class="quiet">
          {said}
        </p>
      </div>
    </details>
  );
}
