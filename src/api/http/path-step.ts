/** The segment of a path that leads here (`.`) or up (`..`), which a server takes as another path; null: none does. */
export function stepIn(path: string): string | null {
  return path.split("/").find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)) ?? null;
}
