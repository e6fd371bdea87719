import type { Journal } from "../../runner/journal.ts";
import type { Connection } from "../../store/connection.ts";
import { resultReader } from "../../store/journal/handed-over.ts";
import { type ConversationJob, packJobs, wholeConversations } from "../../store/packed-rows.ts";
import { packedBytes } from "../chunk-body.ts";
import type { OpenChunk } from "../postgres/calls.ts";
import { type Lane, leftOf } from "./lanes.ts";
import type { RemoteBatch } from "./remote-batch.ts";

/** Jobs of a chunk at the least and at the most: each worker is to get some. */
const [smallestChunk, largestChunk] = [20, 400];
/** Chunks of a lane, where they are not too small. */
const chunksOfLane = 24;
/** Jobs that are looked for at once. */
const pageJobs = 1_000;

interface UploadOptions {
  db: Connection;
  journal: Pick<Journal, "pending" | "takenRuns">;
  remote: RemoteBatch;
  /** Jobs that are in chunks which are not done. */
  covered: Set<number>;
  isStopped: () => boolean;
}

/** Uploads jobs in chunks, whole conversations each; what is in a chunk already stays where it is. */
export class Upload {
  readonly #options: UploadOptions;
  readonly #read: ReturnType<typeof resultReader>;

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#read = resultReader(options.db);
  }

  /** Uploads the first conversation of a target that `prefers` likes, else the first; null: there is none. */
  async head(
    lane: Lane,
    target: number,
    prefers: (caseId: number) => boolean,
  ): Promise<(OpenChunk & { job: number }) | null> {
    const { journal, covered } = this.#options;
    const page = journal.pending([target], 0, pageJobs).filter(({ id }) => !covered.has(id));
    const first = page.find(({ caseId }) => prefers(caseId)) ?? page[0];
    if (first === undefined) return null;
    const [conversation] = this.#conversations([first.id]);
    return conversation === undefined ? null : { ...(await this.#add(lane, [conversation], true)), job: first.id };
  }

  /** Uploads all that is pending of a lane; gives the chunks. */
  async rest(lane: Lane): Promise<OpenChunk[]> {
    const { journal, covered, isStopped } = this.#options;
    const size = Math.min(largestChunk, Math.max(smallestChunk, Math.ceil(leftOf(lane) / chunksOfLane)));
    const ids = lane.targets.map(({ id }) => id);
    const chunks: OpenChunk[] = [];
    let open: ConversationJob[][] = [];
    let jobs = 0;
    for (let after = 0; !isStopped();) {
      const page = journal.pending(ids, after, pageJobs);
      after = page.at(-1)?.id ?? after;
      const heads = page.filter(({ id }) => !covered.has(id)).map(({ id }) => id);
      for (const conversation of heads.length === 0 ? [] : this.#conversations(heads)) {
        const own = conversation.filter(({ isOver }) => !isOver).length;
        if (jobs > 0 && jobs + own > size) {
          chunks.push(await this.#add(lane, open));
          [open, jobs] = [[], 0];
        }
        open.push(conversation);
        jobs += own;
      }
      if (page.length < pageJobs) break;
    }
    if (jobs > 0 && !isStopped()) chunks.push(await this.#add(lane, open));
    return chunks;
  }

  /** The conversations of jobs, in the order of the plan, each with what is over of it. */
  #conversations(jobs: readonly number[]): ConversationJob[][] {
    const roots = new Map<number, ConversationJob[]>();
    for (const job of wholeConversations(this.#options.db, jobs)) {
      const before = job.waitsFor === null ? undefined : roots.get(job.waitsFor);
      const whole = before ?? [];
      whole.push(job);
      roots.set(job.id, whole);
    }
    return [...new Set(roots.values())];
  }

  async #add(lane: Lane, conversations: readonly ConversationJob[][], isFirst = false): Promise<OpenChunk> {
    const { db, journal, remote, covered } = this.#options;
    const all = conversations.flat().toSorted((one, other) => one.id - other.id);
    const own = all.filter(({ isOver }) => !isOver);
    const ids = own.map(({ id }) => id);
    const runs = journal
      .takenRuns(lane.targets.map((target) => target.id))
      .flatMap(({ job, taken }) => (ids.includes(job.id) ? (this.#read(job.id, taken.number) ?? []) : []));
    const id = await remote.addChunk(lane.id, {
      jobs: ids,
      waits: own.map(({ waitsFor }) => waitsFor ?? 0),
      tried: own.map(({ tried }) => tried),
      isFirst,
      runs,
      body: packedBytes(
        packJobs(
          db,
          all.map((job) => job.id),
        ),
      ),
    });
    for (const job of ids) covered.add(job);
    return { id, queue: lane.queue, round: 0, jobs: ids.length };
  }
}
