/**
 * A sentence as every report says it, set for a page: names between backticks stand apart from their neighbours without
 * them, with real arrows and minus signs.
 */
export function Ticked({ text }: { text: string }) {
  const parts = text.replaceAll(" -> ", " → ").replaceAll(/(?<=^|[\s(])-(?=\d)/g, "−");
  return <>{parts.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <bdi key={index}>{part}</bdi> : part))}</>;
}
