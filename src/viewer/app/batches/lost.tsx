import { momentLabel } from "../../../report/say/night-names.ts";

/** Says why nothing is heard and what to do about it, and since when what is shown is old. */
export function Lost({ reason, heardAt }: { reason: string; heardAt: number }) {
  return (
    <p class="error" role="alert">
      {reason} {heardAt > 0 && `What is shown is of ${momentLabel(heardAt)}.`}
    </p>
  );
}
