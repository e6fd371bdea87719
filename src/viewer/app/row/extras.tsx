import { useState } from "preact/hooks";
import type { RunExtras } from "../../../report/shape/model.ts";
import { LongText } from "../parts/long-text.tsx";
import { isWebAddress, Link } from "../parts/link.tsx";

/** Parts of a record beside the answer. Audio is played only in a page that is served. */
export function Extras({ extras, playable }: { extras: RunExtras; playable: boolean }) {
  const { references, audio, video, documents, buttons, logs, finishReason, searchQuery, functionError } = extras;
  return (
    <div class="extras">
      {functionError !== undefined && (
        <p class="error text" dir="auto">
          <LongText text={functionError} />
        </p>
      )}
      {references !== undefined && (
        <details open={references.length <= 3}>
          <summary>References ({references.length})</summary>
          <ol class="references">
            {references.map((reference, index) => (
              <li key={index}>
                <Link url={reference.url} text={reference.title ?? reference.url} />
                {reference.snippet !== null && (
                  <p class="quiet" dir="auto">
                    <LongText text={reference.snippet} />
                  </p>
                )}
              </li>
            ))}
          </ol>
        </details>
      )}
      <Links name="Audio" urls={audio} />
      {playable && audio?.map((url) => <Player key={url} url={url} />)}
      <Links name="Video" urls={video} />
      <Links name="Documents" urls={documents} />
      {buttons !== undefined && (
        <p class="quiet" dir="auto">
          Buttons: {buttons.join(" · ")}
        </p>
      )}
      {logs !== undefined && (
        <details>
          <summary>Log ({logs.length})</summary>
          <ol class="logs">
            {logs.map(({ level, message }, index) => (
              <li key={index} dir="auto">
                <b>{level}</b> <LongText text={message} />
              </li>
            ))}
          </ol>
        </details>
      )}
      <p class="facts">
        {searchQuery !== undefined && (
          <span dir="auto">
            searched for <q>{searchQuery}</q>
          </span>
        )}
        {finishReason !== undefined && finishReason !== "stop" && <span>finish reason: {finishReason}</span>}
        {extras.leftOut !== undefined && <span>{extras.leftOut} more are left out here</span>}
      </p>
    </div>
  );
}

function Links({ name, urls }: { name: string; urls: string[] | undefined }) {
  if (urls === undefined) return null;
  return (
    <p class="facts">
      <span>{name}</span>
      {urls.map((url, index) => (
        <Link key={index} url={url} text={fileName(url)} />
      ))}
    </p>
  );
}

function fileName(url: string): string {
  return /([^/?#]+)(?:[?#].*)?$/.exec(url)?.[1] ?? url;
}

/** Plays a file, which is fetched only when somebody asks for it. */
function Player({ url }: { url: string }) {
  const [loaded, load] = useState(false);
  if (!isWebAddress(url)) return null;
  if (loaded) return <audio controls autoplay src={url} />;
  return (
    <button type="button" class="link" onClick={() => load(true)}>
      Load and play {fileName(url)}
    </button>
  );
}
