import type { ComponentChildren } from "preact";

/** A small table of figures that can be scrolled sideways where it is wider than its place, with the keyboard too. */
export function ScrollTable(props: { name: string; kind?: string; children: ComponentChildren }) {
  const { name, kind = "", children } = props;
  return (
    <div class={`scroll ${kind}`} tabIndex={0} role="group" aria-label={name}>
      <table class="small">{children}</table>
    </div>
  );
}
