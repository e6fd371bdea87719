import type { TargetLook } from "./target-colour.ts";
import { TargetName } from "./target-name.tsx";

/** The mark of a target, in its colour and shape; its name stands beside it. */
export function TargetMark({ look }: { look: TargetLook }) {
  return (
    <svg class={`target-mark ${look.colour}`} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <path d={look.shape} />
    </svg>
  );
}

/** A line of a legend: the stroke of a target as a picture draws it, and its name. */
export function TargetKey({ name, look }: { name: string; look: TargetLook }) {
  return (
    <li>
      <svg class={look.colour} width="26" height="8" aria-hidden="true">
        <line class="target-line" x1="0" x2="26" y1="4" y2="4" stroke-dasharray={look.dashes.join(" ")} />
      </svg>
      <TargetName name={name} />
    </li>
  );
}
