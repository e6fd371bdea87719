import { z } from "zod";
import { showValue } from "../../lib/show.ts";
import { column, inBytes, jsonObject, jsonValue, matching, notA, sizeForm, text } from "./form.ts";
import { storedAs, storedWhen, orNull } from "./kept.ts";

const typedColumn = z.strictObject({
  column,
  type: orNull(
    z
      .enum(["text", "number", "boolean", "json", "file"])
      .optional()
      .describe("What its cells are read as. file: the path of a file that is sent, or the address of one."),
  ),
});
const constant = z.strictObject({ value: jsonValue.describe("The same value for every case.") });
const sourceForms = "a column name, a template, {column, type}, {value} or a list of these";
/** A column or template, read as the field needs it (null) or as it is told; or the same value for every case. */
export const fieldPart = z.union([column, typedColumn, constant], { error: notA(sourceForms) });
/** The source of a request field; a list makes a list of the values of its entries, without the empty ones. */
export const fieldSource = z.union([column, typedColumn, constant, z.array(fieldPart).min(1)], {
  error: notA(sourceForms),
});

/** `case:` says which columns become what. */
export const caseSection = z
  .strictObject({
    key: orNull(
      column
        .optional()
        .describe(
          "Column that identifies a case from night to night. Default: a hash of cluster, turn and input, with #2, #3 for repetitions.",
        ),
    ),
    input: orNull(
      z
        .record(z.string(), fieldSource)
        .optional()
        .describe(
          "Request field to column name, or to a Liquid template when it holds {{ }}; dots make nested fields (variables.language). {column: x, type: number} reads cells as number, boolean, json or text; {column: x, type: file} sends the file whose path, or address, the cell holds; {value: x} is the same for every case; a list of these makes a list without what is empty. Default: columns named like request fields map themselves.",
        ),
    ),
    expected: orNull(
      column
        .optional()
        .describe("Column with the expected answer. Default: expected or golden_answer, where there is one."),
    ),
    cluster: z
      .union([column, z.literal(false)], { error: notA("a column name, a template or false") })
      .optional()
      .describe(
        "Column that names what belongs together, such as a conversation or an article: its rows count as one observation. false: every row counts by itself. Default: rows that ask the same belong together, and columns whose rows go wrong together are named.",
      ),
    turn: orNull(
      column
        .optional()
        .describe(
          "Column with 1, 2, 3 ...: rows of a cluster are sent in this order, each with the replies so far in messages. Default: no turns.",
        ),
    ),
    turns: text
      .optional()
      .describe(
        "Column with a whole conversation in a cell: a JSON list of what the user says, or of messages ({role, content}). The row becomes the cases KEY/1, KEY/2 ...; `expected` is a list of as many texts, or that of the last turn. Default: none.",
      ),
    messages: z
      .strictObject({
        role: column.describe("Column that says who wrote the message: user, assistant, system, or tool."),
        text: column.describe("Column with the message."),
      })
      .optional()
      .describe(
        "The sheet has a row for each message: rows of one cluster (without it, rows up to a blank line) become its turns, their answers the column __answer. Default: a row is a case.",
      ),
    opening: orNull(
      column
        .optional()
        .describe("Column of JSON messages that a conversation begins with, on its first turn only. Default: none."),
    ),
    history: z
      .strictObject({
        user: jsonObject.describe("The entry for what the user said."),
        assistant: jsonObject.describe("The entry for the reply."),
      })
      .optional()
      .describe(
        'How the turns so far are written into messages, where "{{ text }}" stands for what was said. Default: {role: user, content: "{{ text }}"} and {role: assistant, content: "{{ text }}"}.',
      ),
    tags: storedAs(
      z
        .array(text)
        .optional()
        .describe("Columns by which results can be selected and grouped, such as language. Default: none."),
      z.array(text),
      (tags) => tags ?? [],
    ),
    order_by: column
      .optional()
      .describe(
        "Column with a time (or a number) by which the rows of a cluster are its turns, with turn: __order. Default: as they stand.",
      ),
    scorers: column
      .optional()
      .describe(
        "Column whose cells hold scorers of their own row, beside those of the suite: JSON of one scorer, or a list of them. Default: none.",
      ),
  })
  .describe("Which columns of the dataset become what.");

/** `format:` says how the dataset's files are written, where that cannot be found. */
export const formatSection = z
  .strictObject({
    delimiter: storedAs(
      matching(/^(?:tab|[^"\r\n])$/u, "one character, or tab")
        .optional()
        .describe("What separates the cells: one character, or tab. Default: found among , ; tab and |."),
      z.string().nullable(),
      (written) => (written === "tab" ? "\t" : (written ?? null)),
    ),
    encoding: orNull(
      z
        .string()
        .refine(isEncoding, {
          error: ({ input }) => `must be an encoding such as utf-8, utf-16le or windows-1252, got ${showValue(input)}`,
        })
        .optional()
        .describe(
          "Encoding of the files, such as windows-1251. Default: UTF-8 and UTF-16 by their bytes; Windows-1252 with a notice.",
        ),
    ),
    header: storedWhen(
      z
        .boolean()
        .optional()
        .describe(
          "false: the first row is data, and the columns are called column A, column B ... Default: the first row names the columns.",
        ),
      false,
      false,
    ),
    sheet: text
      .optional()
      .describe("The sheet of an Excel workbook (.xlsx) that holds the cases. Default: the one with most rows."),
    lenient: z
      .boolean()
      .default(false)
      .describe(
        "Fill up rows that are too short, drop empty cells beyond the header, take quotes inside of cells as they are. Default: false, they are faults.",
      ),
  })
  .describe("How the dataset's files are written.");

/** `files:` says where the files are that cases send. */
export const filesSection = z
  .strictObject({
    root: text
      .optional()
      .describe(
        "Folder in which the paths of files begin, relative to this file. Nothing outside of it is sent. Default: the folder of the dataset.",
      ),
    max_file: inBytes(sizeForm.default("20MB").describe("The largest file that is sent. Default: 20MB.")),
    max_request: inBytes(sizeForm.default("50MB").describe("The most bytes of all files of one case. Default: 50MB.")),
  })
  .describe("The files that cases send: fields of case.input with type: file.");

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}
