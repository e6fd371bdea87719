/** A value of a tag. */
export interface TagValue {
  /** Name of the tag. */
  tag: string;
  /** Value of the tag. */
  value: string;
}

/** The name of a slice: the rows that have a value of a tag, or of two. */
export interface SliceName extends TagValue {
  /** The value of a second tag that the rows have too; null: a tag alone. */
  and: TagValue | null;
}

/** The values of tags that all rows of a slice have. */
export const valuesOf = ({ tag, value, and }: SliceName): TagValue[] => [
  { tag, value },
  ...(and === null ? [] : [and]),
];

/** True for two names of the same slice, whichever tag comes first. */
export function isSameSlice(one: SliceName, other: SliceName): boolean {
  const others = valuesOf(other);
  const isIn = ({ tag, value }: TagValue): boolean => others.some((each) => each.tag === tag && each.value === value);
  return valuesOf(one).length === others.length && valuesOf(one).every(isIn);
}
