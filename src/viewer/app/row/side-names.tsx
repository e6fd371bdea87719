import { useEffect, useRef, useState } from "preact/hooks";
import { TargetName } from "../parts/target-name.tsx";
import type { AnswerSide } from "./shown-answers.ts";

/** The names of answers that stand side by side, above them once their own heads have scrolled out of sight. */
export function SideNames({ sides, isBeside }: { sides: readonly AnswerSide[]; isBeside: boolean }) {
  const names = useRef<HTMLDivElement>(null);
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const head = names.current?.nextElementSibling?.querySelector(".side-top") ?? null;
    if (head === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        const { isIntersecting, boundingClientRect, rootBounds } = entry;
        setPast(!isIntersecting && boundingClientRect.top < (rootBounds?.top ?? 0));
      },
      { root: head.closest(".detail-body") },
    );
    observer.observe(head);
    return () => observer.disconnect();
  }, [isBeside]);
  return (
    <div
      ref={names}
      class="side-names"
      aria-hidden="true"
      data-shown={isPast}
      style={{ "--columns": isBeside ? 3 : 2 }}
    >
      {isBeside && <span>Expected</span>}
      {sides.map((side) => (
        <TargetName key={side.place} name={side.name} />
      ))}
    </div>
  );
}
