import type { Journal, PendingJob } from "../../runner/journal.ts";
import type { Pulled } from "../../store/journal/pulled.ts";
import type { Postgres } from "../postgres/connection.ts";
import { dropJobs, type JobThere, jobsThere } from "../postgres/rejoin.ts";
import { addInputs, addJobs, addChunks, type NewJob, type NewChunk } from "../postgres/submit.ts";
import type { Places } from "./places.ts";

/** Jobs of one statement, and bytes of their inputs. */
const jobsAtOnce = 2_000;
const bytesAtOnce = 8 * 1024 * 1024;
/** Jobs that are looked for at once. */
const pageJobs = 1_000;
/** Cases whose inputs are known to be there: targets of one case follow each other in a plan. */
const rememberedInputs = 20_000;

export interface UploadOptions {
  db: Postgres;
  batch: number;
  journal: Journal;
  books: Pulled;
  places: Places;
  /** The name there of a target that is here. */
  targetThere: (targetId: number) => number;
  /** Jobs may wait for others. */
  conversations: boolean;
  /** Jobs of a case share its input; questions to judges do not. */
  sharesInputs: boolean;
  /** Number of the latest chunk that is there. */
  latestSlice: number;
  /** Brings all that was ever done there: a job that is over there, and after that still not here, is to be sent again. */
  pullAll: () => Promise<unknown>;
}

/** A part of the upload: the jobs of one deployment's endpoint. */
export interface ChunkedPart {
  targetIds: readonly number[];
  deployment: string;
  service: number;
  /** Jobs of a chunk at the most; a conversation is never cut. */
  sliceJobs: number;
  /** Nothing more is to be uploaded. */
  isStopped: () => boolean;
}

/** Rows of one statement each. */
interface Page {
  texts: { id: number; input: string }[];
  slices: NewChunk[];
  jobs: NewJob[];
}

/** A job with all that wait for it, first turn first. */
type Chain = PendingJob[];

/**
 * Uploads jobs in chunks. A job that is there, and is carried by a chunk or out, stays as it is; one that no chunk carries
 * any more comes again in a new one.
 */
export class Upload {
  readonly #options: UploadOptions;
  readonly #inputs = new Map<number, number>();
  #latestSlice: number;
  #slices: NewChunk[] = [];
  #jobs: NewJob[] = [];
  #texts: { id: number; input: string }[] = [];
  #bytes = 0;
  #isPulled = false;
  /** The page that is on its way while the next one is made. */
  #leaving: Promise<void> = Promise.resolve();

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#latestSlice = options.latestSlice;
  }

  /** Uploads the first jobs of a target, each in a chunk of its own. Returns the chunks with their first job, in order. */
  async heads(targetId: number, most: number, part: Pick<ChunkedPart, "deployment" | "service">) {
    const chains = await this.#missing(this.#chainsAfter([targetId], 0, most));
    const heads: { slice: number; job: number }[] = [];
    for (const chain of chains) {
      const [first] = chain;
      if (first === undefined) continue;
      heads.push({ slice: this.#add(chain, part), job: first.id });
    }
    await this.#flush();
    await this.#leaving;
    return heads;
  }

  /** Uploads all pending jobs of some targets that are not there yet. */
  async rest({ targetIds, sliceJobs: chunkJobs, isStopped, ...part }: ChunkedPart): Promise<void> {
    let open: Chain = [];
    const end = async (): Promise<void> => {
      if (open.length === 0) return;
      this.#add(open, part);
      open = [];
      if (this.#jobs.length >= jobsAtOnce || this.#bytes >= bytesAtOnce) await this.#flush();
    };
    for (let after = 0; !isStopped();) {
      const chains = this.#chainsAfter(targetIds, after, pageJobs);
      const last = chains.at(-1)?.[0];
      if (last === undefined) break;
      after = last.id;
      for (const chain of await this.#missing(chains)) {
        if (open.length > 0 && open.length + chain.length > chunkJobs) await end();
        open.push(...chain);
      }
    }
    await end();
    await this.#flush();
    await this.#leaving;
  }

  #chainsAfter(targetIds: readonly number[], after: number, limit: number): Chain[] {
    const { journal, conversations } = this.#options;
    const heads = journal.pending(targetIds, after, limit);
    if (!conversations) return heads.map((head) => [head]);
    return heads.map((head) => {
      const chain = [head];
      for (let next = journal.successor(head.id); next !== null; next = journal.successor(next.id)) chain.push(next);
      return chain;
    });
  }

  /** The chains that have to be uploaded. */
  async #missing(chains: Chain[]): Promise<Chain[]> {
    const { db, batch, places, books } = this.#options;
    if (chains.length === 0) return [];
    const names = new Map(chains.flat().map((job) => [job.id, places.there(job)]));
    const there = new Map((await jobsThere(db, batch, [...names.values()])).map((job) => [job.id, job]));
    const at = (job: PendingJob): JobThere | undefined => there.get(names.get(job.id) ?? 0);
    const isOverThere = (chain: Chain): boolean => chain.some((job) => (at(job)?.outcome ?? null) !== null);
    if (chains.some(isOverThere)) await this.#pullOnce();
    const missing = chains.filter((chain) => {
      if (chain.some((job) => at(job)?.isOut === true)) return false;
      if (isOverThere(chain)) return chain.every((job) => books.job(job.id)?.outcome === null);
      return chain.some((job) => at(job)?.isCarried !== true);
    });
    const again = missing.flat().filter((job) => at(job) !== undefined);
    await dropJobs(
      db,
      batch,
      again.map((job) => names.get(job.id) ?? 0),
    );
    return missing;
  }

  /** Another machine may have brought what is missing here. */
  async #pullOnce(): Promise<void> {
    if (!this.#isPulled) await this.#options.pullAll();
    this.#isPulled = true;
  }

  /** Puts jobs into a chunk; returns its number. */
  #add(jobs: Chain, { deployment, service }: Pick<ChunkedPart, "deployment" | "service">): number {
    this.#latestSlice += 1;
    const chunk = this.#latestSlice;
    this.#slices.push({ id: chunk, deployment, service, jobs: jobs.length });
    const inChunk = new Set(jobs.map(({ id }) => id));
    for (const job of jobs) {
      if (job.waitsFor !== null && !inChunk.has(job.waitsFor)) this.#addAnswered(job, chunk);
      this.#jobs.push({ ...this.#newJob(job, chunk), outcome: null, record: null });
    }
    return chunk;
  }

  /** The turns of a conversation that were answered before its first job here was uploaded. */
  #addAnswered(job: PendingJob, chunk: number): void {
    const { journal, books } = this.#options;
    const turns = journal.history(job);
    let before = job.waitsFor;
    for (const { input, record } of turns.toReversed()) {
      const turn = before === null ? null : books.job(before);
      if (turn === null) return;
      const answered = { ...turn, input };
      this.#jobs.push({ ...this.#newJob(answered, chunk), outcome: "ok", record });
      before = turn.waitsFor;
    }
  }

  #newJob(job: PendingJob, chunk: number): Omit<NewJob, "outcome" | "record"> {
    const { places, targetThere, books } = this.#options;
    const id = places.there(job);
    const before = job.waitsFor === null ? null : books.job(job.waitsFor);
    const { caseId, repeat, turn, attempts, failures } = job;
    return {
      id,
      slice: chunk,
      target: targetThere(job.targetId),
      caseId,
      input: this.#input(job, id),
      repeat,
      turn,
      waitsFor: before === null ? null : places.there(before),
      attempts,
      failures,
    };
  }

  /** An input is known there by the first job that was uploaded with it. */
  #input({ caseId, input }: PendingJob, place: number): number {
    const known = this.#options.sharesInputs ? this.#inputs.get(caseId) : undefined;
    if (known !== undefined) return known;
    if (this.#inputs.size >= rememberedInputs) this.#inputs.clear();
    this.#inputs.set(caseId, place);
    this.#texts.push({ id: place, input });
    this.#bytes += input.length;
    return place;
  }

  /** Lets what is packed leave, once the page before has arrived. */
  async #flush(): Promise<void> {
    await this.#leaving;
    const page = { texts: this.#texts, slices: this.#slices, jobs: this.#jobs };
    [this.#texts, this.#slices, this.#jobs, this.#bytes] = [[], [], [], 0];
    this.#leaving = this.#send(page);
    // Whoever waits for it is told; until then somebody must have heard.
    this.#leaving.catch(() => undefined);
  }

  async #send({ texts, slices: chunks, jobs }: Page): Promise<void> {
    const { db, batch } = this.#options;
    if (texts.length > 0) await addInputs(db, batch, texts);
    if (chunks.length > 0) await addChunks(db, batch, chunks);
    if (jobs.length > 0) await addJobs(db, batch, jobs);
  }
}
