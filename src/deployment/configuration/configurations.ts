import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ServiceEndpoint, serviceEndpoints } from "../../api/endpoint-name.ts";
import { servedFiles } from "../../lib/paths/served-folder.ts";
import { AppError } from "../../errors.ts";
import { type Configuration, readBot, readFunction } from "./configuration.ts";

/** Place of the saved configurations of an endpoint, and the way to read one. */
interface Place {
  folder: string;
  ends: readonly [string, ...string[]];
  read: (directory: string, id: string) => Promise<Configuration>;
}

const places: Readonly<Record<ServiceEndpoint, Place>> = {
  "video-bots": { ...servedFiles.bots, read: readBot },
  functions: { ...servedFiles.functions, read: readFunction },
};

/** Form of an example_id: it is also the name of a file. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** The saved configurations of a served directory. */
export class Configurations {
  readonly all: readonly Configuration[];

  private constructor(all: readonly Configuration[]) {
    this.all = all;
  }

  /** Reads every configuration there is; all faults of all files are in one error. */
  static async load(directory: string): Promise<Configurations> {
    const all: Configuration[] = [];
    const faults: AppError[] = [];
    for (const endpoint of serviceEndpoints) {
      for (const id of idsIn(directory, places[endpoint])) {
        try {
          all.push(await places[endpoint].read(directory, id));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          faults.push(error);
        }
      }
    }
    const [first, ...more] = faults;
    if (first === undefined) return new Configurations(all);
    if (more.length === 0) throw first;
    throw new AppError("DEPLOYMENT_INVALID", faults.map((fault) => fault.message).join("\n"), { cause: first });
  }

  /** Those of an endpoint, by their names. */
  of(endpoint: ServiceEndpoint): Configuration[] {
    return this.all.filter((each) => each.endpoint === endpoint);
  }

  /** The configuration of a name, or the first one for a blank name; null when there is none. */
  find(endpoint: ServiceEndpoint, id: string): Configuration | null {
    const own = this.of(endpoint);
    return (id.trim() === "" ? own[0] : own.find((each) => each.id === id)) ?? null;
  }
}

/** Names of the configurations in their folder, sorted. */
function idsIn(directory: string, { folder, ends: [extension] }: Place): string[] {
  const path = join(directory, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith(extension))
    .map((name) => name.slice(0, -extension.length))
    .filter((id) => idPattern.test(id))
    .toSorted();
}
