/** ` on \`correct\``: the metric of a count or a list, where the verdict beside it is about another; else nothing. */
export function onMetric(metric: string | null | undefined, decidedBy: string | null): string {
  return metric === null || metric === undefined || metric === decidedBy || decidedBy === null
    ? ""
    : ` on \`${metric}\``;
}
