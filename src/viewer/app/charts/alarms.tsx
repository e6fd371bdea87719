import type { HistoryAlarm } from "../../../report/shape/alarm.ts";
import { Ticked } from "../parts/ticked.tsx";

/** Changes over the nights of the suite that a person has to know of. */
export function Alarms({ alarms }: { alarms: readonly Pick<HistoryAlarm, "sentence">[] }) {
  if (alarms.length === 0) return null;
  return (
    <ul class="cautions alarms" aria-label="Changes over the nights of the suite">
      {alarms.map(({ sentence }) => (
        <li key={sentence} dir="auto">
          <span aria-hidden="true">◆ </span>
          <Ticked text={sentence} />
        </li>
      ))}
    </ul>
  );
}
