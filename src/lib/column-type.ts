/** Kind of the values of a column, any of which may be null. `time`: a text in ISO 8601; `json`: the text of a JSON value. */
export type ColumnType = "text" | "integer" | "number" | "boolean" | "time" | "json";
