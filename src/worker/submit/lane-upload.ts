import type { RemoteProgress, RemoteService } from "../postgres/watch.ts";
import type { Lane } from "./lanes.ts";
import type { Upload } from "./upload.ts";

/** Jobs of a slice at the least and at the most: each worker is to get some. */
const [smallestSlice, largestSlice] = [20, 400];
/** Slices of a lane, where they are not too small. */
const slicesOfLane = 24;

/** Uploads the jobs of lanes, each lane for its own account. */
export class LaneUpload {
  readonly #upload: Upload;
  /** Ids of the accounts there. */
  readonly #services: ReadonlyMap<Lane, number>;

  constructor(upload: Upload, services: ReadonlyMap<Lane, number>) {
    this.#upload = upload;
    this.#services = services;
  }

  /** Uploads the first jobs of a target, each in a slice of its own. */
  heads(lane: Lane, targetId: number, most: number): Promise<{ slice: number; job: number }[]> {
    return this.#upload.heads(targetId, most, this.#partOf(lane));
  }

  /** Uploads all that is not there yet, as long as nobody stops it. */
  rest(lane: Lane, isStopped: () => boolean): Promise<void> {
    const jobs = lane.targets.reduce((sum, { unfinished }) => sum + unfinished, 0);
    const sliceJobs = Math.min(largestSlice, Math.max(smallestSlice, Math.ceil(jobs / slicesOfLane)));
    const targetIds = lane.targets.map(({ id }) => id);
    return this.#upload.rest({ targetIds, sliceJobs, isStopped, ...this.#partOf(lane) });
  }

  /** The account of a lane, as it is now; null: nothing is known of it. */
  serviceOf(lane: Lane, { services }: RemoteProgress): RemoteService | null {
    return services.find(({ id }) => id === this.#services.get(lane)) ?? null;
  }

  #partOf(lane: Lane): { deployment: string; service: number } {
    return { deployment: lane.deployment.name, service: this.#services.get(lane) ?? 0 };
  }
}
