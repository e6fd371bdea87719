/** Flags of commands with their value, and shares, none of which breaks at its hyphens or before its sign: `--noise-repeats 2`, `87.9 %`. */
export function WholeFlags({ text }: { text: string }) {
  const parts = text.split(/(?<=^|[\s(])(--[a-z][a-z-]*(?: \d+)?|[−+]?\d[\d.,]* %)/);
  // In an element: a text that a component gives bare is not looked at for what hides in it.
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span key={index} class="whole">
            {part}
          </span>
        ),
      )}
    </>
  );
}
