import { nightLabel } from "../../../report/say/night-names.ts";
import { useRef, useState } from "preact/hooks";
import type { PastBatch } from "../../../report/shape/model.ts";
import { keptVerdict } from "../../../report/say/nights.ts";
import { verdictClass, verdictSign } from "./verdict-sign.tsx";
import { batchAddress } from "../data/batch-address.ts";

/**
 * The verdicts of nights as signs, the latest last, each the way to its night. One of them can be reached by Tab, the others by
 * arrows.
 */
export function NightStrip({ nights, name }: { nights: readonly PastBatch[]; name: string }) {
  const strip = useRef<HTMLSpanElement>(null);
  const [at, stand] = useState<string | null>(null);
  if (nights.length === 0) return null;
  const reached = nights.some(({ batch }) => batch === at) ? at : (nights.at(-1)?.batch ?? null);
  const press = (event: KeyboardEvent, place: number): void => {
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: nights.length - 1 }[event.key];
    const link = to === undefined ? undefined : strip.current?.querySelectorAll("a")[to];
    if (link === undefined) return;
    event.preventDefault();
    link.focus();
  };
  return (
    <span class="strip" role="group" aria-label={`Nights of ${name}`} ref={strip} dir="ltr">
      {nights.map((night, place) => {
        const words = `${nightLabel(night)}, ${keptVerdict(night) ?? "no verdict"}`;
        return (
          <a
            key={night.batch}
            href={batchAddress(night.batch)}
            class={`verdict ${verdictClass(night)}`}
            title={words}
            aria-label={words}
            tabIndex={night.batch === reached ? 0 : -1}
            onFocus={() => stand(night.batch)}
            onKeyDown={(event) => press(event, place)}
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
