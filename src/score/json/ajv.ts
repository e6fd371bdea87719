/** The checkers of JSON Schemas, by static imports: built in, a package of CommonJS gives no names to a dynamic one. */
export { Ajv } from "ajv";
export { Ajv2020 } from "ajv/dist/2020.js";
