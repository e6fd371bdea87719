/** Below lines that are drawn on one scale: what its ends mean, and its middle where it has one. */
export function Axis({ from, middle, to }: { from: string; middle?: string; to: string }) {
  return (
    <div class="line axis" aria-hidden="true">
      <span />
      <span class="ends">
        <span>{from}</span>
        {middle !== undefined && <span>{middle}</span>}
        <span>{to}</span>
      </span>
      <span />
    </div>
  );
}
