/** Names of members that identify a run or a moment rather than say something. */
const markNames = new Set(["id", "run_id", "run_url", "tool_call_id", "created_at", "updated_at", "uid"]);

/** True for a path that ends in such a name. */
export function isRunMark(path: string): boolean {
  return markNames.has(path.slice(path.lastIndexOf(".") + 1));
}
