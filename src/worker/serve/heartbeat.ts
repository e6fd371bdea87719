import { hostname } from "node:os";
import { version } from "../../lib/version.ts";
import { LinkClosed } from "../journal/database-link.ts";
import { deadAfterMs, thisMoment } from "../journal/lease.ts";
import { returnLostChunks } from "../postgres/queues.ts";
import { beat, enterWorker, reap, tellOfWorker, type WorkerState, type WorkerReported } from "../postgres/workers.ts";
import type { Tools } from "./tools.ts";

const beatMs = 3_000;
const reapMs = 5_000;

interface HeartbeatOptions {
  tools: Tools;
  name: string;
  /** Addresses that the worker may send to. */
  addresses: readonly string[];
  /** Names of the deployments that are served now. */
  served: () => string[];
  /** Everything that is told of the open work. */
  told: () => WorkerReported;
  /** Called with what is asked of this worker. */
  onState: (state: WorkerState) => void;
  /** Called after each sign. */
  onBeat: () => Promise<void>;
}

/** Gives signs of life, looks after workers that give none and what they had, and tells the database what this one serves. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #entered = "";
  #said = "";
  #timers: NodeJS.Timeout[] = [];
  #isClosed = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Enters the worker, and goes on giving signs until `close`. */
  async begin(): Promise<void> {
    await this.#enter();
    await this.#beat();
    this.#every(beatMs, () => this.#beat());
    this.#every(reapMs, () => this.#reap());
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Tells at once what is served now. */
  async tell(): Promise<void> {
    const { tools, served, told: reported } = this.#options;
    if (JSON.stringify(served()) !== this.#entered) await this.#enter();
    const now = reported();
    const said = JSON.stringify(now);
    if (said === this.#said) return;
    await tools.link.patiently(() => tellOfWorker(tools.db, tools.workerId, now));
    this.#said = said;
  }

  async #enter(): Promise<void> {
    const { tools, name, addresses, served } = this.#options;
    const deployments = served();
    const entry = { id: tools.workerId, name, host: hostname(), version, deployments, addresses };
    await tools.link.patiently(() => enterWorker(tools.db, entry));
    this.#entered = JSON.stringify(deployments);
  }

  async #beat(): Promise<void> {
    const { tools, onState, onBeat } = this.#options;
    const { db, link, lease, clock, workerId } = tools;
    let began = thisMoment();
    const answer = await link.patiently(() => {
      began = thisMoment();
      return beat(db, workerId);
    });
    if (answer === null) {
      this.#said = "";
      await this.#enter();
      return;
    }
    lease.renewed(began);
    clock.told(answer.dbNow, began);
    onState(answer.state);
    await this.tell();
    await onBeat();
  }

  async #reap(): Promise<void> {
    const { db, link, clock, counters } = this.#options.tools;
    // PostgreSQL has no clock but the one that somebody may set: a living worker is not dead because of that.
    await this.#beat();
    if (!clock.isSettled) return;
    counters.reaped += await link.patiently(() => reap(db, { deadAfterMs }));
    await link.patiently(() => returnLostChunks(db));
  }

  /** Does something again and again, each time so long after the last one was done. */
  #every(ms: number, work: () => Promise<void>): void {
    const timer = setTimeout(
      () => {
        work()
          .catch((error: unknown) => {
            // A worker that ends closes its connections under what is on the way: other workers do it.
            if (!this.#isClosed && !(error instanceof LinkClosed)) this.#options.tools.fail(error);
          })
          .finally(() => {
            this.#timers = this.#timers.filter((each) => each !== timer);
            if (!this.#isClosed) this.#every(ms, work);
          });
      },
      // Workers that were started together look at different times.
      ms * (0.9 + Math.random() * 0.1),
    );
    this.#timers.push(timer);
  }
}
