import { useEffect, useState } from "preact/hooks";
import { share } from "../../report/figures.ts";
import type { Live } from "../api.ts";
import { count, duration, words } from "./format.ts";

/** A batch while it runs: how far each target is, told by the server every second. */
export function LiveBatch({ batch, first, onEnd }: { batch: string; first: Live; onEnd: () => void }) {
  const [live, setLive] = useState(first);
  const [start] = useState({ at: Date.now(), finished: first.finished });
  useEffect(() => {
    const events = new EventSource(`/api/live?${new URLSearchParams({ batch }).toString()}`);
    events.addEventListener("message", ({ data }: MessageEvent<string>) => {
      const now: Live = JSON.parse(data);
      setLive(now);
      if (now.state === "running" || now.state === "planned" || now.state === "reading") return;
      events.close();
      onEnd();
    });
    return () => events.close();
  }, [batch]);
  const { jobs, finished, targets } = live;
  const seconds = (Date.now() - start.at) / 1000;
  const rate = seconds > 2 ? (finished - start.finished) / seconds : 0;
  return (
    <main class="live">
      <p class="quiet">
        <a href="#">All batches</a>
      </p>
      <p class="state none">
        <span aria-hidden="true">●</span> Running
      </p>
      <h1>
        <bdi>{batch}</bdi>
      </h1>
      <div class="details">
        <p role="status" aria-live="off">
          {count(finished)} of {count(jobs)} jobs{jobs > 0 && ` (${share(Math.floor((finished / jobs) * 100) / 100)})`}
          {rate > 0 && finished < jobs && `, about ${duration(((jobs - finished) / rate) * 1000)} left`}
        </p>
      </div>
      {targets.map((target) => (
        <TargetProgress key={target.name} target={target} />
      ))}
      <p class="quiet">The comparison opens here when the batch has ended.</p>
    </main>
  );
}

function TargetProgress({ target }: { target: Live["targets"][number] }) {
  const { name, jobs, outcomes, attempts, throttled } = target;
  const left = outcomes["unfinished"] ?? 0;
  const told = Object.entries(outcomes).filter(([outcome]) => outcome !== "unfinished");
  return (
    <section class="target-progress">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <progress max={jobs} value={jobs - left} aria-label={`${name}: ${jobs - left} of ${jobs} jobs`} />
      <p class="facts">
        <span>
          {count(jobs - left)} of {count(jobs)}
        </span>
        {told.map(([outcome, number]) => (
          <span key={outcome}>
            {words(outcome)} {count(number)}
          </span>
        ))}
        {attempts > jobs - left && <span>{count(attempts)} attempts</span>}
        {throttled > 0 && <span>throttled {count(throttled)}</span>}
      </p>
    </section>
  );
}
