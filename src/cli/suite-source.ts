import { AppError } from "../errors.ts";
import type { PrepareOptions } from "../pipeline/prepare.ts";
import { withTargets } from "../pipeline/selection.ts";
import { suiteFromFlags } from "../suite/flags.ts";
import { loadSuite, type LoadedSuite } from "../suite/load.ts";
import { withOverrides } from "../suite/overrides.ts";
import type { Suite } from "../suite/suite.ts";
import { selectionFrom } from "./selection-flags.ts";
import type { SuiteFlags } from "./suite-flags.ts";
import type { Terminal } from "./terminal.ts";

/** What is to be run: checked, with the flags laid over it. Its warnings are noted. */
export async function suiteFrom(flags: SuiteFlags, terminal: Terminal): Promise<Suite> {
  const loaded = await loadFrom(flags);
  for (const { where, message } of loaded.warnings) {
    terminal.note(`${terminal.style("yellow", "warning")} ${where}: ${message}`);
  }
  const suite = withTargets(withOverrides(loaded.suite, flags), flags.target);
  const used = new Set(suite.targets.map(({ deployment }) => deployment));
  return { ...suite, deployments: suite.deployments.filter(({ name }) => used.has(name)) };
}

/** How its dataset is read. */
export function preparationFrom(flags: SuiteFlags, onNotice: (message: string) => void): PrepareOptions {
  return {
    standardInput: process.stdin,
    folder: process.cwd(),
    seed: flags.seed,
    skipInvalid: flags["skip-invalid"],
    passWithNoJobs: flags["pass-with-no-jobs"],
    onSkipped: (message: string) => onNotice(`left out: ${message}`),
    onNotice,
    selection: selectionFrom(flags),
  };
}

/** A suite from its file, or from flags when the path is a dataset. */
async function loadFrom(flags: SuiteFlags): Promise<LoadedSuite> {
  if (/\.ya?ml$/i.test(flags.path)) {
    const given = (["deployment", "example-id", "name"] as const).find((flag) => (flags[flag] ?? "").length > 0);
    if (given !== undefined) {
      throw new AppError("USAGE", `--${given} is for a dataset; ${flags.path} is a suite and names its own.`, {
        hint: "Change the suite, or name the dataset instead of it.",
      });
    }
    return loadSuite(flags.path, process.env);
  }
  const { path: dataset, endpoint, name, concurrency, rate, timeout, retries, repeats, interleave } = flags;
  const limits = { concurrency, rate, timeout, retries, repeats, interleave };
  const deployments = deploymentsOf(flags.deployment);
  const named = { dataset, endpoint, name, deployments, exampleIds: flags["example-id"] };
  return suiteFromFlags({ ...named, ...limits }, process.env, process.cwd());
}

/** `NAME=URL` texts to name and URL. */
function deploymentsOf(texts: readonly string[]): Record<string, string> {
  const deployments: Record<string, string> = {};
  for (const text of texts) {
    const [, name, url] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (name === undefined || url === undefined) {
      throw new AppError("USAGE", `--deployment takes NAME=URL; got "${text}".`, {
        hint: "For example: --deployment prod=https://api.example.com",
      });
    }
    if (Object.hasOwn(deployments, name)) throw new AppError("USAGE", `--deployment ${name} is given twice.`);
    deployments[name] = url;
  }
  if (texts.length === 0) {
    throw new AppError("USAGE", "A dataset alone does not say where to send it.", {
      hint: "Add --deployment NAME=URL and --example-id ID, or name a suite (.yaml).",
    });
  }
  return deployments;
}
