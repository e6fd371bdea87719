import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** A box that opens below its name, and closes by Escape, by a click elsewhere and when the focus leaves it. */
export function Menu(props: {
  kind: string;
  name: ComponentChildren;
  children: (close: () => void) => ComponentChildren;
}) {
  const { kind, name, children } = props;
  const box = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const closeByHand = (): void => {
    close();
    box.current?.querySelector("summary")?.focus();
  };
  useClickElsewhere(box, isOpen, close);
  return (
    <details
      ref={box}
      class={`menu ${kind}`}
      open={isOpen}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        keepInSight(event.currentTarget);
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && box.current?.contains(relatedTarget) === false) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        closeByHand();
      }}
    >
      <summary>
        <span>{name}</span>
      </summary>
      {children(closeByHand)}
    </details>
  );
}

/** Opens a box towards the other side when it stands near the edge of the screen. */
function keepInSight(box: HTMLDetailsElement): void {
  box.classList.remove("from-end");
  const { left = 0, right = 0 } = box.lastElementChild?.getBoundingClientRect() ?? {};
  box.classList.toggle("from-end", right > document.documentElement.clientWidth || left < 0);
}

function useClickElsewhere(box: { current: HTMLElement | null }, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const listen = ({ target }: Event): void => {
      if (target instanceof Node && box.current?.contains(target) === false) close();
    };
    document.addEventListener("pointerdown", listen);
    return () => document.removeEventListener("pointerdown", listen);
  }, [isOpen]);
}
