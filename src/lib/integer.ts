/** A whole number: what the JSON Schema that is made of a type says of it. */
export type Integer = number;
