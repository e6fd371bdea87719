import type { ReportChange } from "../../../report/shape/model.ts";
import { LongText } from "../parts/long-text.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { TargetName } from "../parts/target-name.tsx";

/** Members of the output that the two sides do not have alike. */
export function RowOutputFields({ change, baseline }: { change: ReportChange; baseline: string }) {
  return (
    <section>
      <h3>Output fields that changed</h3>
      <ScrollTable name="Output fields that changed">
        <thead>
          <tr>
            <th scope="col">Output field</th>
            <th scope="col">
              <TargetName name={baseline} />
            </th>
            <th scope="col">
              <TargetName name={change.candidate} />
            </th>
          </tr>
        </thead>
        <tbody>
          {change.members.map((member) => (
            <tr key={member.path}>
              <th scope="row">
                <code>{member.path}</code>
              </th>
              <td dir="auto">
                <LongText text={member.baseline} />
              </td>
              <td dir="auto">
                <LongText text={member.candidate} />
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}
