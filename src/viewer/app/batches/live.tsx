import { isSound } from "../../../compare/cases/side-outcome.ts";
import { outcomeEntries } from "../../../api/outcomes.ts";
import { momentLabel } from "../../../report/words/night-names.ts";
import { useEffect, useState } from "preact/hooks";
import { shareFigure, decimal } from "../../../report/words/figures.ts";
import type { SoFar } from "../../../report/shape/so-far.ts";
import type { Live } from "../../api.ts";
import { isLive } from "./at-work.ts";
import { number, counted } from "../../../report/words/quantity.ts";
import { durationShown, words } from "../parts/format.ts";
import { shownText } from "../parts/shown-text.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { ask } from "../data/server-calls.ts";
import { keyWords, rowWords } from "../../../report/words/row-words.ts";

const stateWords: Record<string, string> = {
  running: "Running",
  grading: "Grading",
  planned: "About to begin",
  reading: "Reading the dataset",
};

/** A batch while it runs: how far each target is, what is known so far, and the rows as they finish. */
export function LiveBatch({ batch, onEnd }: { batch: string; onEnd: () => void }) {
  const { live, lost } = useLive(batch, { isAtWork: isLive, onEnd });
  useEffect(() => {
    document.title = shownText(live === null ? batch : `${percent(live)} ${batch}`);
    return () => {
      document.title = "tandem";
    };
  }, [live, batch]);
  return (
    <main class="live">
      <p class="quiet">
        <a href="#">Home</a>
      </p>
      <p class="state none">
        <span aria-hidden="true">●</span> {live === null ? "Opening" : (stateWords[live.state] ?? words(live.state))}
      </p>
      <h1>
        <bdi>{batch}</bdi>
      </h1>
      {lost !== null && (
        <p class="error" role="alert">
          {lost} What is shown may be old.
        </p>
      )}
      {live !== null && <Progress live={live} />}
      {live?.targets.map((target) => (
        <TargetProgress key={target.name} target={target} />
      ))}
      {live !== null && live.soFar !== null && <SoFarTable soFar={live.soFar} />}
      {live !== null && live.soFar !== null && <Finished soFar={live.soFar} targets={live.targets} />}
      <p class="quiet">The comparison, with its verdict, opens here when the batch has ended.</p>
    </main>
  );
}

function percent({ jobs, finished }: Live): string {
  return jobs === 0 ? "" : shareFigure(Math.floor((finished / jobs) * 100) / 100);
}

function Progress({ live }: { live: Live }) {
  const { jobs, finished, startedAt, state } = live;
  const [start] = useState({ at: performance.now(), finished });
  const seconds = (performance.now() - start.at) / 1000;
  const rate = seconds > 2 ? (finished - start.finished) / seconds : 0;
  return (
    <div class="details">
      <p role="status" aria-live="off">
        {number(finished)} of {counted(jobs, "job")}
        {jobs > 0 && ` (${percent(live)})`}
        {rate > 0 && finished < jobs && `, about ${durationShown(((jobs - finished) / rate) * 1000)} left`}
        {state === "grading" && "; what judges, modules and commands say comes in now"}
      </p>
      <p class="quiet">Started {momentLabel(startedAt)}</p>
    </div>
  );
}

function TargetProgress({ target }: { target: Live["targets"][number] }) {
  const { name, jobs, outcomes, attempts, throttled, stopped } = target;
  const done = jobs - (outcomes["unfinished"] ?? 0);
  const reported = outcomeEntries(outcomes).filter(([outcome]) => outcome !== "unfinished");
  return (
    <section class="target-progress">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <progress max={jobs} value={done} aria-label={`${name}: ${done} of ${jobs} jobs`} />
      <p class="facts">
        <span>
          {number(done)} of {number(jobs)}
        </span>
        {reported.map(([outcome, runs]) => (
          <span key={outcome} class={isSound(outcome) ? "" : "outcome bad"}>
            {words(outcome)} {number(runs)}
          </span>
        ))}
        {attempts > done && <span>{number(attempts)} attempts</span>}
        {throttled > 0 && <span>throttled {number(throttled)}</span>}
      </p>
      {stopped !== null && (
        <p class="error" dir="auto">
          Stopped: {stopped}
        </p>
      )}
    </section>
  );
}

/** A time of 24 hours, as every other. */
const timeOfDay = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** The rows that were finished last. */
function Finished({ soFar: { rows, targets }, targets: own }: { soFar: SoFar; targets: Live["targets"] }) {
  if (rows.length === 0) return null;
  return (
    <section class="live-rows" aria-label="Rows as they finish">
      <h2>Finished last</h2>
      <ul>
        {rows.map(({ at, complete, head }) => (
          <li key={head.key}>
            <p class="facts">
              {head.row !== null && (
                <b>
                  <bdi>{rowWords(head)}</bdi>
                </b>
              )}
              {at > 0 && <span>{timeOfDay.format(new Date(at))}</span>}
              {!complete && <span>not all targets yet</span>}
            </p>
            <p dir="auto">
              {head.question} <bdi class="quiet">{keyWords(head)}</bdi>
            </p>
            <dl>
              {head.sides.map((side, index) => (
                <div key={targets[index]?.name}>
                  <dt>
                    <bdi>{targets[index]?.name ?? own[index]?.name}</bdi>
                    {side.outcome !== "answered" && (
                      <span class={side.failed ? "outcome bad" : "outcome"}> {words(side.outcome)}</span>
                    )}
                    {side.latencyMs !== null && <span class="quiet"> {durationShown(side.latencyMs)}</span>}
                  </dt>
                  <dd dir="auto">{side.excerpt}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Sums and counts of the finished cases, and nothing more: a test that is repeated while cases come in would find
 * something by chance.
 */
function SoFarTable({ soFar }: { soFar: SoFar }) {
  const { cases, repeats, targets, pairs, later } = soFar;
  return (
    <section class="so-far">
      <h2>So far</h2>
      <p class="quiet">
        Over {counted(cases, "case")} that every target has finished{repeats > 1 && " once, each by its first run"}.
        Nothing is tested and nothing decided before the end: figures that are looked at while they grow turn up
        differences by chance.
      </p>
      {cases > 0 && (targets[0]?.scores ?? []).length > 0 && <Scores soFar={soFar} />}
      {cases > 0 &&
        pairs.map(({ candidate, baseline, same, different }) => (
          <p key={candidate}>
            <bdi>{candidate}</bdi> and <bdi>{baseline}</bdi> said the same in {counted(same, "case")}, something else in{" "}
            {number(different)}.
          </p>
        ))}
      {later.length > 0 && <p class="quiet">Graded at the end: {later.join(", ")}.</p>}
    </section>
  );
}

function Scores({ soFar: { targets, pairs } }: { soFar: SoFar }) {
  const [first] = targets;
  return (
    <ScrollTable name="Scores so far">
      <thead>
        <tr>
          <th scope="col">Metric</th>
          {targets.map(({ name }) => (
            <th scope="col" class="number" key={name}>
              <bdi>{name}</bdi>
            </th>
          ))}
          {pairs.map(({ candidate, baseline }) => (
            <th scope="col" class="number" key={candidate}>
              <bdi>{candidate}</bdi> beside <bdi>{baseline}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {first?.scores.map(({ metric, passes }, place) => (
          <tr key={metric}>
            <th scope="row">
              <bdi>{metric}</bdi>
            </th>
            {targets.map(({ name, scores }) => (
              <td class="number" key={name}>
                {figure(scores[place]?.mean ?? null, passes)}{" "}
                <span class="quiet">of {number(scores[place]?.cases ?? 0)}</span>
              </td>
            ))}
            {pairs.map(({ candidate, metrics: own }) => (
              <td class="number" key={candidate}>
                worse in {number(own[place]?.worse ?? 0)}, better in {number(own[place]?.better ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function figure(mean: number | null, passes: boolean): string {
  if (mean === null) return "–";
  return passes ? shareFigure(mean) : decimal(mean, 3);
}

/** The state of a running batch as a page has last heard it. */
interface Following {
  live: Live | null;
  /** Reason why the page hears nothing more; null: it does. */
  lost: string | null;
}

const againMs = 2000;

/**
 * Follows a batch by server-sent events, each of which tells the whole state. Only while the page is in sight: a
 * browser has few connections for all its tabs. A connection that breaks off is opened again until the batch has ended.
 */
function useLive(batch: string, { isAtWork, onEnd }: { isAtWork: (state: string) => boolean; onEnd: () => void }) {
  const [following, follow] = useState<Following>({ live: null, lost: null });
  useEffect(() => {
    let events: EventSource | null = null;
    let timer = 0;
    const stop = (): void => {
      clearTimeout(timer);
      events?.close();
      events = null;
    };
    const hear = ({ data }: MessageEvent<string>): void => {
      if (data === "") return;
      // The server is the same program as this page.
      const live: Live = JSON.parse(data);
      follow({ live, lost: null });
      if (isAtWork(live.state)) return;
      stop();
      onEnd();
    };
    const lose = (): void => {
      // The browser tries by itself, but not after an answer that was a refusal.
      const isRefused = events?.readyState === EventSource.CLOSED;
      void whyLost(batch).then((lost) => follow((before) => ({ ...before, lost })));
      if (!isRefused) return;
      stop();
      timer = window.setTimeout(start, againMs);
    };
    const start = (): void => {
      stop();
      if (document.visibilityState === "hidden") return;
      events = new EventSource(`api/live?${new URLSearchParams({ batch }).toString()}`);
      events.addEventListener("message", hear);
      events.addEventListener("error", lose);
      events.addEventListener("failed", ({ data }: MessageEvent<string>) => {
        const { error }: { error: string } = JSON.parse(data);
        follow((before) => ({ ...before, lost: error }));
      });
    };
    start();
    document.addEventListener("visibilitychange", start);
    return () => {
      document.removeEventListener("visibilitychange", start);
      stop();
    };
  }, [batch]);
  return following;
}

/** Null: the server answers, the connection only broke. */
async function whyLost(batch: string): Promise<string | null> {
  try {
    await ask("state", new URLSearchParams({ batch }));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
