/** True for the state of a batch that has not come to its end. */
export function isLive(state: string): boolean {
  return state === "running" || state === "planned" || state === "reading" || state === "grading";
}
