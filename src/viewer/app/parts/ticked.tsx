/**
 * A sentence as every report says it, set for a page: names between backticks stand apart from their neighbours without
 * them, with real arrows and minus signs. Lines of a suite are code, to be copied.
 */
export function Ticked({ text }: { text: string }) {
  const parts = text.replaceAll(" -> ", " → ").replaceAll(/(?<=^|[\s(])-(?=\d)/g, "−");
  return (
    <>
      {parts.split(/`([^`]+)`/).map((part, index) => {
        if (index % 2 === 0) return <WholeFlags key={index} text={part} />;
        return /^scorers: |^tandem /.test(part) ? <code key={index}>{part}</code> : <bdi key={index}>{part}</bdi>;
      })}
    </>
  );
}

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
