/** A reply without what its writer only thought: `<think>` and `<thinking>` blocks; one that is not closed has no reply after it. */
export function withoutThoughts(text: string): string {
  const lower = text.toLowerCase();
  // If lower case changes the length, places no longer agree.
  const searched = lower.length === text.length ? lower : text;
  let kept = "";
  let from = 0;
  for (;;) {
    const start = searched.indexOf("<think", from);
    if (start === -1) return kept + text.slice(from);
    kept += text.slice(from, start);
    const tag = searched.startsWith("<thinking", start) ? "</thinking>" : "</think>";
    const end = searched.indexOf(tag, start);
    if (end === -1) return kept;
    from = end + tag.length;
  }
}
