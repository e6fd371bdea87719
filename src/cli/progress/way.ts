import { fromHere } from "../../app/send/from-here.ts";
import type { Access, Way } from "../../app/send/way.ts";
import type { InDoubtPolicy } from "../../store/journal/in-doubt.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { Suite } from "../../suite/suite.ts";
import { openAccess } from "../access.ts";
import { durationOf } from "../flags/run-flags.ts";
import { namespaceOf, type WorkersFlags } from "../flags/workers-flags.ts";
import { workersAddress } from "../workers-address.ts";

/** The flags by which a command chooses the way of its requests. */
export type WayFlags = Partial<WorkersFlags> & {
  "on-in-doubt"?: InDoubtPolicy | undefined;
  "take-back"?: boolean | undefined;
  "wait-for-workers"?: string | undefined;
};

/** The way of a command's requests, with everything it needs open. */
export interface OpenWay {
  way: Way;
  /** Stops a batch at the workers and brings what is done; null: the command does not ask for that. */
  takeBack: Way | null;
  /** Deployments that this machine itself asks; empty: workers do. */
  access: Map<string, Access>;
  close: () => Promise<void>;
}

/** The flags by which a command that is told to go on takes the same way. */
export function resumeFlagsOf({ workers, namespace = "default", "take-back": isTakenBack }: WayFlags): string {
  if (workers !== true || isTakenBack === true) return "";
  return namespace === "default" ? " --workers" : ` --workers --namespace ${shellWord(namespace)}`;
}

/** Opens the way from here, or over workers: these have the keys themselves. */
export async function openWay(suite: Pick<Suite, "deployments">, flags: WayFlags): Promise<OpenWay> {
  if (flags.workers !== true) {
    const { access, close } = await openAccess(suite.deployments, process.env);
    return { way: fromHere(access), takeBack: null, access, close };
  }
  const { overWorkers, takingBack } = await import("../../worker/submit/over-workers.ts");
  const { openSession } = await import("../../worker/submit/session.ts");
  const { nightOfWorker } = await import("../../worker/nights/night-process.ts");
  const { batchFileOf } = await import("../../app/batch-file.ts");
  const wait = flags["wait-for-workers"];
  const session = await openSession(workersAddress(), {
    namespace: namespaceOf({ namespace: flags.namespace ?? "default" }),
    onInDoubt: flags["on-in-doubt"] ?? null,
    waitsForMs: wait === undefined ? null : durationOf("--wait-for-workers", wait),
    night: nightOfWorker(process.env),
    planFile: batchFileOf,
  });
  if (flags["take-back"] !== true)
    return { way: overWorkers(session), takeBack: null, access: new Map(), close: session.close };
  try {
    const { access, close } = await openAccess(suite.deployments, process.env);
    const closeBoth = async (): Promise<void> => void (await Promise.all([close(), session.close()]));
    return { way: fromHere(access), takeBack: takingBack(session), access, close: closeBoth };
  } catch (error) {
    await session.close();
    throw error;
  }
}
