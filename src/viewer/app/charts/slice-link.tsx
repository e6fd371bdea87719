import { type SliceName, valuesOf } from "../../../compare/slice-name.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { tagName } from "../../../report/say/names.ts";
import type { AddressSort, SetAddress } from "../data/address.ts";
import { RowsLink } from "../parts/rows-link.tsx";

/** The name of a slice, as the way to its rows; `metric`: only to those that it compares. */
export function SliceLink(props: { slice: SliceName; metric?: string; sort?: AddressSort; setAddress: SetAddress }) {
  const { slice, metric, sort = "rank", setAddress } = props;
  const tags = valuesOf(slice);
  const group = metric === undefined ? [] : rowGroup.paired(metric);
  return (
    <RowsLink to={{ tags, group, sort }} setAddress={setAddress}>
      {tags.map(({ tag, value }, place) => (
        <span key={tag}>
          {place > 0 && " and "}
          <bdi>{tagName(tag)}</bdi> = <bdi>{valueShown(value)}</bdi>
        </span>
      ))}
    </RowsLink>
  );
}

export const valueShown = (value: string): string => (value === "" ? "(empty)" : value);
