import { nightLabel } from "../../../report/say/night-names.ts";
import type { PastBatch } from "../../../report/shape/model.ts";
import { keptVerdict } from "../../../report/say/nights.ts";
import { verdictClass, verdictSign } from "./verdict-sign.tsx";
import { batchAddress } from "../data/batch-address.ts";
import { useRoving } from "../parts/use-roving.ts";

/** The verdicts of nights as signs, the latest last, each the way to its night. */
export function NightStrip({ nights, name }: { nights: readonly PastBatch[]; name: string }) {
  const roving = useRoving<HTMLSpanElement>("a");
  if (nights.length === 0) return null;
  return (
    <span class="strip" role="group" aria-label={`Nights of ${name}`} dir="ltr" {...roving}>
      {nights.map((night) => {
        const words = `${nightLabel(night)}, ${keptVerdict(night) ?? "no verdict"}`;
        return (
          <a
            key={night.batch}
            href={batchAddress(night.batch)}
            class={`verdict ${verdictClass(night)}`}
            title={words}
            aria-label={words}
          >
            <span aria-hidden="true">{verdictSign(night)}</span>
          </a>
        );
      })}
    </span>
  );
}

/** The signs of strips, each once, with the words that it stands for. */
export function StripLegend({ nights }: { nights: readonly PastBatch[] }) {
  const signs = new Map<string, { night: PastBatch; words: Set<string> }>();
  for (const night of nights) {
    const words = keptVerdict(night) ?? "no verdict";
    const known = signs.get(verdictSign(night));
    if (known === undefined) signs.set(verdictSign(night), { night, words: new Set([words]) });
    else known.words.add(words);
  }
  return (
    <>
      {Array.from(signs, ([sign, { night, words }]) => (
        <span key={sign}>
          <span class={`sign ${verdictClass(night)}`} aria-hidden="true">
            {sign}
          </span>{" "}
          {Array.from(words).join(" or ")}
        </span>
      ))}
    </>
  );
}
