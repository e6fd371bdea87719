import { resolve } from "node:path";
import { openKeeper } from "../../../worker/nights/open-keeper.ts";

/** The scheduled nights of a worker. */
export interface Nights {
  /** Begins none any more, and stops those that are being spent; again: gives up what they have in flight. */
  stop: () => void;
  /** Resolves when all have ended. */
  ended: Promise<void>;
}

/** Spends nights in a folder, beside what the worker sends; without a folder none. */
export async function startNights(
  folder: string | undefined,
  { url, name, tell }: { url: string; name: string; tell: (line: string) => void },
): Promise<Nights> {
  if (folder === undefined) return { stop: () => undefined, ended: Promise.resolve() };
  const main = process.argv[1] ?? "";
  const { keeper, close } = await openKeeper({ url, name, folder: resolve(folder), main: resolve(main), tell });
  tell(`nights are spent in ${resolve(folder)}`);
  const work = async (): Promise<void> => {
    try {
      await keeper.run();
    } finally {
      await close();
    }
  };
  return { stop: () => keeper.stop(), ended: work() };
}
