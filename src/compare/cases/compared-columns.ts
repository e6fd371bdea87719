import { fileColumn } from "../../lib/file-column.ts";

/** The column that makes slices even where the suite does not name it as a tag. */
export const languageColumn = "language";

/** The columns of a dataset that a figure or a list of a comparison takes something from. */
export const comparedColumns: readonly string[] = [languageColumn, fileColumn];
