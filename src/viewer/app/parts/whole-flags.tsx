/** Flags of commands with their value, none of which breaks at its hyphens: `--noise-repeats 2`. */
export function WholeFlags({ text }: { text: string }) {
  const parts = text.split(/(?<=^|[\s(])(--[a-z][a-z-]*(?: \d+)?)/);
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
