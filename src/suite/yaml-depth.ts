import { CST, Lexer } from "yaml";

/** Levels of maps and lists in each other; the parser runs out of stack at some hundreds. */
export const deepestYaml = 100;

/** The place where a YAML text is nested too deeply, line and column from 1; null where it is not. */
export function tooDeepAt(text: string): { line: number; column: number } | null {
  // Brackets that are open, and columns in which lists and maps around this place began.
  let open = 0;
  let columns: number[] = [];
  let line = 1;
  let column = 1;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === "flow-map-start" || type === "flow-seq-start") open++;
    else if (type === "flow-map-end" || type === "flow-seq-end") open = Math.max(0, open - 1);
    else if (open === 0 && (isLineStart || type === "seq-item-ind" || type === "explicit-key-ind") && !isBlank(type)) {
      const at = column;
      columns = [...columns.filter((each) => each < at), at];
    }
    if (open + columns.length > deepestYaml) return { line, column };
    if (type === null || !isMark(type)) isLineStart = isLineStart && isBlank(type);
    const breaks = token.split("\n").length - 1;
    if (breaks > 0) {
      line += breaks;
      column = token.length - token.lastIndexOf("\n");
      isLineStart = true;
    } else if (type === null || !isMark(type)) column += token.length;
  }
  return null;
}

function isBlank(type: CST.TokenType | null): boolean {
  return type === "space" || type === "newline";
}

/** Tokens that the lexer adds, and that are no characters of the text. */
function isMark(type: CST.TokenType): boolean {
  return type === "doc-mode" || type === "flow-error-end" || type === "scalar";
}
