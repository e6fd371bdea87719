import { reportSections } from "../../../report/doc/sections.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import { SectionView } from "../parts/doc.tsx";
import { Facts } from "../parts/facts.tsx";
import { durationShown } from "../parts/format.ts";
import { useReport } from "../parts/report.tsx";

/** Facts about the batch: its targets, its judges, and what a reader should know. */
export function About() {
  const { summary } = useReport();
  const { batch, suite, state, reason, startedAt, durationMs, tandem } = summary;
  return (
    <div class="about">
      <section>
        <h2>Batch</h2>
        <Facts
          facts={[
            ["Batch", batch],
            ["Suite", suite],
            ["State", reason === null ? state : `${state}: ${reason}`],
            ["Started", momentLabel(Date.parse(startedAt))],
            ["Took", durationShown(durationMs)],
            ["Made by", `tandem ${tandem}`],
          ]}
        />
      </section>
      {reportSections(summary).flatMap((section, at) =>
        section.isOfBatch === true ? [<SectionView key={at} section={{ ...section, folded: false }} />] : [],
      )}
    </div>
  );
}
