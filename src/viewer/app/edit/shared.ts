import { useEffect, useState } from "preact/hooks";

/** A value that several parts of the page show, and that stays while they come and go. */
export interface SharedValue<Value> {
  set: (value: Value) => void;
  now: () => Value;
  /** The value, in a part of the page that is drawn again when it changes. */
  use: () => Value;
}

export function shared<Value>(first: Value): SharedValue<Value> {
  let now = first;
  const listeners = new Set<(value: Value) => void>();
  return {
    set(value) {
      now = value;
      for (const listener of listeners) listener(value);
    },
    now: () => now,
    use() {
      const [value, keep] = useState(now);
      useEffect(() => {
        const follow = (next: Value): void => keep(() => next);
        listeners.add(follow);
        follow(now);
        return () => void listeners.delete(follow);
      }, []);
      return value;
    },
  };
}
