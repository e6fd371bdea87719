import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ReportRun, RunExtras } from "../../report/model.ts";
import type { Piece } from "./diff.ts";
import { duration, words } from "./format.ts";

/** What one target answered: the text with the words that differ, where it came from, and what came with it. */
export function Answer(given: {
  name: string;
  role: "baseline" | "candidate" | null;
  run: ReportRun | undefined;
  pieces: Piece[] | null;
  /** Audio may be loaded: where the page is served. */
  playable: boolean;
  children?: ComponentChildren;
}) {
  const { name, role, run, pieces, playable, children } = given;
  return (
    <section class={`side ${role ?? ""}`} aria-label={role === null ? name : `${name}, ${role}`}>
      <h3>
        <bdi>{name}</bdi>
        {role !== null && <span class="note">{role}</span>}
      </h3>
      {run === undefined ? (
        <p class="nothing">Not asked.</p>
      ) : (
        <>
          <p class="facts">
            {run.outcome !== "answered" && (
              <span class={run.failed ? "outcome bad" : "outcome"}>{words(run.outcome)}</span>
            )}
            {run.latencyMs !== null && <span>{duration(run.latencyMs)}</span>}
            {run.attempts > 1 && <span>{run.attempts} attempts</span>}
            {run.status !== null && run.status !== 200 && <span>status {run.status}</span>}
            {run.possiblyPaid && <span>possibly paid twice</span>}
            {run.url !== null && <Link url={run.url} text="Run page" />}
          </p>
          {run.answer !== null ? (
            <AnswerText text={run.answer} pieces={pieces} role={role} />
          ) : (
            <p class="nothing">{run.failed ? "No answer." : "It said nothing."}</p>
          )}
          {run.error !== null && (
            <p class="error text" dir="auto">
              {run.error}
            </p>
          )}
          {run.extras !== null && <Extras extras={run.extras} playable={playable} />}
          {children}
        </>
      )}
    </section>
  );
}

function AnswerText({ text, pieces, role }: { text: string; pieces: Piece[] | null; role: string | null }) {
  if (pieces === null) {
    return (
      <div class="text said" dir="auto">
        {text}
      </div>
    );
  }
  const Changed = role === "baseline" ? "del" : "ins";
  return (
    <div class="text said" dir="auto">
      {pieces.map((piece, index) => (piece.changed ? <Changed key={index}>{piece.text}</Changed> : piece.text))}
    </div>
  );
}

function Extras({ extras, playable }: { extras: RunExtras; playable: boolean }) {
  const { references, audio, video, documents, buttons, logs, finishReason, searchQuery, functionError } = extras;
  return (
    <div class="extras">
      {functionError !== undefined && (
        <p class="error text" dir="auto">
          {functionError}
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
                    {reference.snippet}
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
                <b>{level}</b> {message}
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

/** Nothing is fetched before somebody asks for it. */
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

/** What bots say is no link unless it is plainly one: anything but http and https stays text. */
function Link({ url, text }: { url: string; text: string }) {
  if (!isWebAddress(url)) {
    return (
      <span class="no-link" dir="auto">
        {text === url ? url : `${text} (${url})`}
      </span>
    );
  }
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" title={url} dir="auto">
      {text}
    </a>
  );
}

function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === "https:" || protocol === "http:";
}
