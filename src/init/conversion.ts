import type { JsonObject } from "../lib/json.ts";
import type { Sheets } from "../dataset/sheets.ts";
import type { DatasetFormat } from "../suite/suite.ts";

/** The deployment and the target of the user's own bot, as a suite has them. */
export interface OwnBot {
  deployments: JsonObject;
  targets: JsonObject;
}

/** A file that was written, with what it is. */
export interface Written {
  path: string;
  about: string;
}

/** A file that may be another program's, and what its suite is made with. */
export interface ConversionSource {
  path: string;
  /** Format of a sheet. */
  format: DatasetFormat | undefined;
  sheets: Sheets;
  /** The text that is sent, if a flag gave it. */
  prompt: string | null;
  /** Folder that the suite is written to. */
  to: string;
  /** Writes over files that are there. */
  force: boolean;
  /** Name of the suite; undefined: that of the file. */
  name: string | undefined;
  /** The bot that a flag names, which is asked instead of those of the file; makes its parts by a first call with this prompt. */
  namedBot?: (ask: string) => Promise<OwnBot | undefined>;
  /** Asks a person for a bot where no provider of the file can be asked. */
  askForBot?: (ask: string) => Promise<OwnBot | undefined>;
}

/** The files that were written, and what could not be in them. */
export interface Converted {
  files: Written[];
  tests: number;
  prompts: number;
  targets: number;
  /** Variables of the environment without which it cannot be run: keys of whom it asks, and others of addresses and headers. */
  keys: string[];
  /** No provider of the file can be asked: a bot stands in. */
  isStandIn: boolean;
  /** A module with code of the file was written, which a run of the suite runs. */
  runsCode: boolean;
  left: string[];
}
