import type { ServiceConnection } from "../../client/service-connection.ts";
import type { Drive, DriveOptions } from "../../runner/drive.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";

/** Takes requests to their services: from this process, or over workers on other machines. */
export type Sender = (place: { db: Connection; batch: Batch }, options: DriveOptions) => Drive;

export interface Access {
  baseUrl: string;
  key: string | null;
  /** Default: straight to the service, with nothing but the key. */
  connection?: ServiceConnection;
}
