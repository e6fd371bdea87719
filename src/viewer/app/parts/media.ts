import { useEffect, useState } from "preact/hooks";

/** A screen that has no room for columns. */
export function useNarrow(): boolean {
  return useMedia("(max-width: 760px)");
}

/** Tells whether the screen is as a query of media asks. */
export function useMedia(query: string): boolean {
  const [is, setIs] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = (): void => setIs(media.matches);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return is;
}

/** Tells when the page is printed: paper does not scroll. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const before = (): void => setPrinting(true);
    const after = (): void => setPrinting(false);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
  return printing || matchMedia("print").matches;
}
