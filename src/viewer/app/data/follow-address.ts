import { useLayoutEffect } from "preact/hooks";

/** Calls when Back, Forward or a link has changed the address, also before the page was painted. */
export function useFollowedAddress(follow: () => void): void {
  useLayoutEffect(() => {
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
}
