import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ServiceEndpoint, serviceEndpoints } from "../../api/endpoint-name.ts";
import { AppError } from "../../errors.ts";
import { type Configuration, readBot, readFunction } from "./configuration.ts";
import type { DeploymentLog } from "../log.ts";
import { type Reading, Reloading } from "./reloading.ts";

/** Place of the saved configurations of an endpoint, and the way to read one. */
interface Place {
  folder: string;
  extension: string;
  read: (directory: string, id: string) => Promise<Reading<Configuration>>;
}

const places: Readonly<Record<ServiceEndpoint, Place>> = {
  "video-bots": { folder: "bots", extension: ".yaml", read: readBot },
  functions: { folder: "functions", extension: ".js", read: readFunction },
};

/** Form of an example_id: it is also the name of a file. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** The saved configurations of a served directory, read again when their files change. */
export class Configurations {
  private readonly directory: string;
  private readonly log: DeploymentLog;
  private readonly loaded = new Map<string, Reloading<Configuration>>();

  private constructor(directory: string, log: DeploymentLog) {
    this.directory = directory;
    this.log = log;
  }

  /** Reads every configuration there is; all faults of all files are in one error. */
  static async load(directory: string, log: DeploymentLog): Promise<Configurations> {
    const configurations = new Configurations(directory, log);
    const faults: AppError[] = [];
    for (const endpoint of serviceEndpoints) {
      for (const id of configurations.ids(endpoint)) {
        try {
          await configurations.add(endpoint, id);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          faults.push(error);
        }
      }
    }
    const [first, ...more] = faults;
    if (first !== undefined && more.length === 0) throw first;
    if (first !== undefined) {
      throw new AppError("DEPLOYMENT_INVALID", faults.map((fault) => fault.message).join("\n"), { cause: first });
    }
    return configurations;
  }

  /** Names of the configurations of an endpoint that are there now, sorted. */
  ids(endpoint: ServiceEndpoint): string[] {
    const { folder, extension } = places[endpoint];
    const path = join(this.directory, folder);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    return readdirSync(path)
      .filter((name) => name.endsWith(extension))
      .map((name) => name.slice(0, -extension.length))
      .filter((id) => idPattern.test(id))
      .toSorted();
  }

  /** The configuration as its files are now; null when there is none of that name, or none that was ever good. */
  async find(endpoint: ServiceEndpoint, id: string): Promise<Configuration | null> {
    if (!idPattern.test(id)) return null;
    const { folder, extension } = places[endpoint];
    const name = `${endpoint} ${id}`;
    if (statSync(join(this.directory, folder, id + extension), { throwIfNoEntry: false }) === undefined) {
      this.loaded.delete(name);
      return null;
    }
    const known = this.loaded.get(name);
    if (known !== undefined) return known.current();
    try {
      return (await this.add(endpoint, id)).last;
    } catch (error) {
      this.broken(error);
      return null;
    }
  }

  /** The configurations that were read, as they were read last. */
  list(): Configuration[] {
    return [...this.loaded.values()].map((each) => each.last);
  }

  private async add(endpoint: ServiceEndpoint, id: string): Promise<Reloading<Configuration>> {
    const { read } = places[endpoint];
    const reloading = await Reloading.start(
      () => read(this.directory, id),
      (error) => {
        this.broken(error);
      },
    );
    this.loaded.set(`${endpoint} ${id}`, reloading);
    return reloading;
  }

  private broken(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(`a saved configuration could not be read; the last good one stays in use\n${message}`);
  }
}
