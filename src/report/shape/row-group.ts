/**
 * Rows that have in common what a page counts, such as one error: its kind, and what it is about. It stands in addresses,
 * so that a number leads to its rows.
 */
export type RowGroup = readonly string[];
