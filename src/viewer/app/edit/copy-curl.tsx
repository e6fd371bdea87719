import { useState } from "preact/hooks";
import type { ReportRun } from "../../../report/shape/model.ts";
import type { Actions } from "../data/source.ts";

/** The request as a command line, to try it by hand. */
export function CopyCurl({ run, actions }: { run: ReportRun; actions: Actions }) {
  const [said, say] = useState("");
  const [shown, show] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    try {
      const text = await actions.curl(run.jobId);
      show(text);
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch (error) {
      say(error instanceof Error && shown === null ? error.message : "Copy it from here");
    }
  };
  return (
    <>
      <button type="button" class="link" onClick={() => void copy()}>
        {said === "" ? "Copy as curl" : said}
      </button>
      {shown !== null && <pre class="curl">{shown}</pre>}
    </>
  );
}
