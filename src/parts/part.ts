import type { z } from "zod";
import type { Command } from "../cli/command.ts";
import type { CheckReader } from "../dataset/import/check-reader.ts";
import type { ConversionSource, Converted } from "../init/conversion.ts";
import { installAdvice, type isInstalled, type PeerPackage } from "../lib/peer-package.ts";
import type { patternFaults } from "../score/checks/regex.ts";
import type { defineScorer, RegisteredScorer } from "../score/contract/define.ts";
import type { notKey, passScale } from "../score/contract/finding.ts";
import type { OptionFault, Scorer, ScorerType } from "../score/contract/scorer.ts";
import type { selectionKeys } from "../score/contract/text-selection.ts";

/**
 * A part of tandem that most runs do without. It registers by this one object in the list of parts, which `--help` and
 * every run load: whatever it works with is loaded when it is asked for, by imports that are not made before.
 */
export interface Part {
  name: string;
  /** Its commands, in the order of the help. The file of a command is data; its work is another import. */
  commands?: () => Promise<readonly Command[]>;
  /** Its types of scorers, in the order of the reference page. */
  scorers?: readonly PartScorer[];
  /** Makes a suite of files of another program for `tandem init`; null: it is none of them. */
  convert?: (source: ConversionSource) => Promise<Converted | null>;
  /** Loads what reads the expectations that a sheet of another program has in its cells. */
  expectations?: CheckReader["expectations"];
}

/** Everything that the keys of a scorer are made with. It is handed in: a part would load all of it with its object. */
export interface ScorerKit {
  z: typeof z;
  defineScorer: typeof defineScorer;
  selectionKeys: typeof selectionKeys;
  notKey: typeof notKey;
  passScale: typeof passScale;
  patternFaults: typeof patternFaults;
  isInstalled: typeof isInstalled;
}

/** A type of scorer that a part brings. */
export interface PartScorer {
  register: (kit: ScorerKit) => RegisteredScorer;
}

/** A type of scorer as a part writes it: what grades is loaded before the first answer is. */
interface PartScorerType<Options> extends Pick<ScorerType<z.ZodRawShape>, "type" | "family" | "about" | "examples"> {
  /** Packages without which it cannot grade: an entry of the suite, or a cell, that asks for it is refused then. */
  packages?: readonly PeerPackage[];
  faults?: (options: Options, kit: ScorerKit) => OptionFault[];
  load: () => Promise<(options: Options) => Scorer>;
}

/** Writes a scorer of pass or fail, by its keys and the rest, whose code is loaded when a suite or a row has one. */
export function partScorer<Keys extends z.ZodRawShape>(
  keys: (kit: ScorerKit) => Keys,
  written: PartScorerType<z.output<z.ZodObject<Keys>>>,
): PartScorer {
  const { packages = [], faults, load, ...type } = written;
  const missing = ({ isInstalled: isThere }: ScorerKit): OptionFault[] =>
    packages
      .filter((name) => !isThere(name))
      .map((name) => ({
        key: "type",
        message: `needs the package ${name}, which is not installed. ${installAdvice(name)}`,
      }));
  let make: ((options: z.output<z.ZodObject<Keys>>) => Scorer) | null = null;
  return {
    register: (kit) =>
      kit.defineScorer({
        ...type,
        keys: keys(kit),
        faults: (options) => [...missing(kit), ...(faults?.(options, kit) ?? [])],
        metric: () => kit.passScale,
        load: async () => {
          make ??= await load();
        },
        prepare: async () => {
          const [fault] = missing(kit);
          if (fault !== undefined) throw new Error(`it ${fault.message}`);
        },
        make: (options) => {
          if (make === null) throw new TypeError(`${type.type} was made before it was loaded`);
          return make(options);
        },
      }),
  };
}
