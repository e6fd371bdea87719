import { tableOf } from "../../../report/doc/table.ts";
import { scoreFigure, scoreRange } from "../../../report/say/figures.ts";
import { sliceWords } from "../../../report/say/names.ts";
import { number } from "../../../report/say/quantity.ts";
import type { ReportTarget } from "../../../report/shape/model.ts";
import { DocTableView } from "../parts/doc.tsx";
import { useReport } from "../parts/report.tsx";

type TagScore = NonNullable<ReportTarget["byTag"]>[number];

const most = 40;

/** The score of a target alone by the values of tags, the lowest first: a description, so nothing is coloured. */
export function ScoreByTag() {
  const { targets, metrics, candidates } = useReport().summary;
  const metric = metrics.find(({ primary }) => primary);
  const byTag = targets.length === 1 && candidates.length === 0 ? (targets[0]?.byTag ?? []) : [];
  if (metric === undefined || byTag.length === 0) return null;
  const wordsOf = ({ tag, value }: TagScore): string => sliceWords({ tag, value, and: null });
  const table = tableOf<TagScore>(
    { name: "Score by tag", noun: "value" },
    [
      {
        title: "rows where",
        kind: "name",
        cell: (of) => ({
          link: { name: wordsOf(of) },
          to: { tags: [{ tag: of.tag, value: of.value }], sort: "rank" },
        }),
      },
      { title: "rows", kind: "number", cell: ({ cases }) => number(cases) },
      {
        title: metric.passes ? "pass" : "mean",
        kind: "number",
        cell: ({ mean }) => ({ strong: scoreFigure(mean, metric) }),
      },
      {
        title: "95 % range",
        kind: "range",
        cell: ({ interval }) => (interval === null ? "–" : scoreRange(interval, metric)),
      },
    ],
    byTag.map((of) => ({ key: wordsOf(of), of })),
  );
  return (
    <section class="section">
      <h2>
        <bdi>{metric.name}</bdi> by tag, the lowest first
      </h2>
      <DocTableView table={table} most={most} />
    </section>
  );
}
