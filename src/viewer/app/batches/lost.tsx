import { momentLabel } from "../../../report/words/night-names.ts";

/** Says that the viewer does not answer, since when what is shown is old, and that nobody has to do anything here. */
export function Lost({ reason, heardAt }: { reason: string; heardAt: number }) {
  return (
    <p class="error" role="alert">
      {reason} {heardAt > 0 && `What is shown is of ${momentLabel(heardAt)}. `}This page comes back by itself.
    </p>
  );
}
