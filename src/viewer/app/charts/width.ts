import { useEffect, useState } from "preact/hooks";

/** The width of an element, as it is now; 0 before it is drawn. */
export function useWidth(place: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}
