import { rowGroup } from "../../../report/model/row-groups.ts";
import type { SliceName } from "../../../report/words/slice-words.ts";
import type { AddressSort, SetAddress } from "../data/address.ts";
import { RowsLink } from "../rows/rows-link.tsx";

/** The cases with a value of a tag, or with two, as a way to their rows; `metric`: only to those that it compares. */
export function SliceLink(given: {
  slice: SliceName & { metric?: string };
  sort?: AddressSort;
  setAddress: SetAddress;
}) {
  const { slice, sort = "rank", setAddress } = given;
  const group = slice.metric === undefined ? [] : rowGroup.paired(slice.metric);
  const parts = slice.and === null ? [slice] : [slice, slice.and];
  const tags = parts.map(({ tag, value }) => ({ name: tag, value }));
  return (
    <RowsLink to={{ tags, group, sort }} setAddress={setAddress}>
      {parts.map(({ tag, value }, place) => (
        <span key={tag}>
          {place > 0 && " and "}
          <bdi>{tag}</bdi> = <bdi>{value === "" ? "(empty)" : value}</bdi>
        </span>
      ))}
    </RowsLink>
  );
}
