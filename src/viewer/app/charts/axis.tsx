/** An axis below lines that are drawn on one scale: the meaning of its ends, and of its middle if it has one. */
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
