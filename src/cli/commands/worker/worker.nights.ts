import { resolve } from "node:path";
import { AppError } from "../../../errors.ts";
import { showText } from "../../../lib/show.ts";
import { openKeeper } from "../../../worker/nights/open-keeper.ts";

/** The scheduled nights of a worker. */
export interface Nights {
  /** Begins none any more, and stops those that are being spent: they finish what is in flight. */
  stop: () => void;
  /** Gives up what they have in flight. */
  giveUp: () => void;
  /** Nights that are being spent now. */
  spending: () => number;
  /** Resolves when all have ended. */
  ended: Promise<void>;
}

const nothing = (): void => undefined;
const none: Nights = { stop: nothing, giveUp: nothing, spending: () => 0, ended: Promise.resolve() };

/** Throws USAGE for variables that are none, and for some that no night asks for. */
export function checkAllowed(allowed: readonly string[], folder: string | undefined): void {
  const wrong = allowed.find((each) => !/^[A-Za-z_]\w*$/.test(each));
  if (wrong !== undefined)
    throw new AppError("USAGE", `--allow-env takes the name of a variable; ${showText(wrong)} is none.`);
  if (folder === undefined && allowed.length > 0)
    throw new AppError("USAGE", "--allow-env is for scheduled nights: it needs --nights.");
}

/** Spends nights in a folder, beside what the worker sends; without a folder none. */
export async function startNights(
  folder: string | undefined,
  { url, name, allowed, tell }: { url: string; name: string; allowed: readonly string[]; tell: (line: string) => void },
): Promise<Nights> {
  if (folder === undefined) return none;
  const main = process.argv[1] ?? "";
  const { keeper, close } = await openKeeper({
    url,
    name,
    folder: resolve(folder),
    allowed,
    main: resolve(main),
    tell,
  });
  tell(`nights are spent in ${resolve(folder)}`);
  const work = async (): Promise<void> => {
    try {
      await keeper.run();
    } finally {
      await close();
    }
  };
  const spending = (): number => keeper.spending;
  return { stop: () => keeper.stop(), giveUp: () => keeper.giveUp(), spending, ended: work() };
}
