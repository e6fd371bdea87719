import { rowGroup } from "../../../report/model/row-groups.ts";
import { type SegmentName, tagName } from "../../../report/say/names.ts";
import type { AddressSort, SetAddress } from "../data/address.ts";
import { RowsLink } from "../parts/rows-link.tsx";

/** The cases with a value of a tag, or with two, as a way to their rows; `metric`: only to those that it compares. */
export function SegmentLink(props: {
  slice: SegmentName & { metric?: string };
  sort?: AddressSort;
  setAddress: SetAddress;
}) {
  const { slice, sort = "rank", setAddress } = props;
  const group = slice.metric === undefined ? [] : rowGroup.paired(slice.metric);
  const parts = slice.and === null ? [slice] : [slice, slice.and];
  const tags = parts.map(({ tag, value }) => ({ name: tag, value }));
  return (
    <RowsLink to={{ tags, group, sort }} setAddress={setAddress}>
      {parts.map(({ tag, value }, place) => (
        <span key={tag}>
          {place > 0 && " and "}
          <bdi>{tagName(tag)}</bdi> = <bdi>{value === "" ? "(empty)" : value}</bdi>
        </span>
      ))}
    </RowsLink>
  );
}
