import type { ServiceConnection } from "../../client/service-connection.ts";
import type { Drive, DriveOptions } from "../../runner/drive.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";

/** The way that requests take to their services: from this process, or from workers on other machines. */
export interface Transport {
  (place: { db: Connection; batch: Batch }, options: DriveOptions): Drive;
  /** It cannot leave one target alone while it goes on with the others. Left out: it can. */
  dropsNone?: true;
}

export interface Access {
  baseUrl: string;
  key: string | null;
  /** Left out: straight to the service, with nothing but the key. */
  connection?: ServiceConnection;
}
