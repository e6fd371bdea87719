import { useEffect } from "preact/hooks";

/** Calls when Back, Forward or a link has changed the address. */
export function useFollowedAddress(follow: () => void): void {
  useEffect(() => {
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);
}
