/**
 * Kind of the values of a column, any of which may be null. `time`: a text in ISO 8601; `json`: the text of a JSON value;
 * `link`: the address of a page, or another text.
 */
export type ColumnType = "text" | "integer" | "number" | "boolean" | "time" | "json" | "link";
