import { LongText } from "./long-text.tsx";

/** Names with their values, as they are. */
export function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl class="facts-list">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt dir="auto">{name}</dt>
          <dd class="text" dir="auto">
            <LongText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
