import type { Command } from "../cli/command.ts";
import type { CheckReader } from "../dataset/import/check-reader.ts";
import type { ConversionSource, Converted } from "../init/conversion.ts";

/**
 * A part of tandem that most runs do without. It registers by this one object in the list of parts, which `--help` and
 * every run load: whatever it works with is loaded when it is asked for, by imports that are not made before.
 */
export interface Part {
  name: string;
  /** Its commands, in the order of the help. The file of a command is data; its work is another import. */
  commands?: () => Promise<readonly Command[]>;
  /** Makes a suite of files of another program for `tandem init`; null: it is none of them. */
  convert?: (source: ConversionSource) => Promise<Converted | null>;
  /** Loads what reads the expectations that a sheet of another program has in its cells. */
  expectations?: CheckReader["expectations"];
}
