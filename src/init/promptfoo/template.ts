import { namesIn } from "../../api/body-templates.ts";
import { liquid } from "../../lib/liquid.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import type { JsonValue } from "../../lib/json.ts";

/** Filters of Nunjucks, as Liquid calls them; empty: it has nothing to do. */
const filters: Record<string, string> = {
  upper: "upcase",
  lower: "downcase",
  trim: "strip",
  capitalize: "capitalize",
  dump: "json",
  tojson: "json",
  length: "size",
  join: "join",
  default: "default",
  d: "default",
  replace: "replace",
  first: "first",
  last: "last",
  reverse: "reverse",
  sort: "sort",
  round: "round",
  abs: "abs",
  escape: "escape",
  e: "escape",
  urlencode: "url_encode",
  striptags: "strip_html",
  nl2br: "newline_to_br",
  int: "plus: 0",
  float: "plus: 0",
  safe: "",
  string: "",
  list: "",
};

/** A name in any script. */
const nameForm = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*`;
/** A value of Nunjucks: a path, a text, a number. */
const operand = String.raw`(?:${nameForm}(?:\.${nameForm}|\[(?:\d+|"[^"]*"|'[^']*')\])*|"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?)`;
const isOperand = new RegExp(`^${operand}$`, "u");
const comparison = new RegExp(String.raw`^${operand}(?:\s*(?:==|!=|<=|>=|<|>)\s*${operand})?$`, "u");

/** A template of Nunjucks in Liquid; null where it has what Liquid does not, such as arithmetic and macros. */
export function liquidOf(template: string): string | null {
  let failed = false;
  const text = template
    .replaceAll(/\{#[^]*?#\}/g, "")
    .replaceAll(/(\{\{-?)([^]*?)(-?\}\})|(\{%-?)([^]*?)(-?%\})/g, (...found: (string | undefined)[]) => {
      const [, open = "", inside = "", close = "", openTag = "", tag = "", closeTag = ""] = found;
      const made = open === "" ? tagOf(tag.trim()) : expressionOf(inside.trim());
      if (made === null) failed = true;
      // As it was written, where it says the same in Liquid.
      if (open !== "") return made === inside.trim() ? `${open}${inside}${close}` : `${open} ${made} ${close}`;
      return made === `{% ${tag.trim()} %}`
        ? `${openTag}${tag}${closeTag}`
        : (made ?? "").replaceAll("{%", openTag).replaceAll("%}", closeTag);
    });
  return failed ? null : text;
}

/** A value with its filters. */
function expressionOf(expression: string): string | null {
  const [value = "", ...parts] = splitAt(expression, "|");
  const first = nameOf(value.trim());
  if (first === null) return null;
  let made = first;
  for (const part of parts) {
    const [, name = "", written = ""] = /^\s*(\w+)\s*(?:\(([^]*)\))?\s*$/.exec(part) ?? [];
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (filter === undefined) return null;
    const values = splitAt(written, ",").map((each) => each.trim());
    // The second value of `default` says that empty texts count too, as they do in Liquid.
    const kept = values.filter((each, i) => each !== "" && !(filter === "default" && i > 0));
    if (!kept.every((each) => isOperand.test(each))) return null;
    if (filter !== "") made += ` | ${filter}${kept.length === 0 ? "" : `: ${kept.join(", ")}`}`;
  }
  return made;
}

function nameOf(value: string): string | null {
  if (!isOperand.test(value)) return null;
  return value.replace(
    /^loop\.(index0?|first|last|length|revindex0?)$/,
    (_, member: string) => `forloop.${member.replace("revindex", "rindex")}`,
  );
}

const whole = (text: string): string => `{% ${text} %}`;

function tagOf(tag: string): string | null {
  if (/^(?:endif|endfor|else|raw|endraw)$/.test(tag)) return whole(tag);
  const [, word = "", rest = ""] = /^(\w+)\s*([^]*)$/.exec(tag) ?? [];
  if (word === "if" || word === "elif") {
    const condition = conditionOf(rest);
    return condition === null ? null : whole(`${word === "if" ? "if" : "elsif"} ${condition}`);
  }
  if (word === "set") {
    const [, name = "", value = ""] = /^(\w+)\s*=\s*([^]*)$/.exec(rest) ?? [];
    const made = name === "" ? null : expressionOf(value.trim());
    return made === null ? null : whole(`assign ${name} = ${made}`);
  }
  const [, one = "", two, list = ""] = /^(\w+)\s*(?:,\s*(\w+)\s*)?in\s+([^]*)$/.exec(rest) ?? [];
  if (word !== "for" || one === "" || !isOperand.test(list.trim())) return null;
  if (two === undefined) return whole(`for ${one} in ${list.trim()}`);
  const pair = `pair_of_${one}`;
  return (
    whole(`for ${pair} in ${list.trim()}`) + whole(`assign ${one} = ${pair}[0]`) + whole(`assign ${two} = ${pair}[1]`)
  );
}

/** Comparisons joined by `and` and `or`; a value alone holds as in JavaScript, where an empty text does not. */
function conditionOf(condition: string): string | null {
  const parts = condition.trim().split(/\s+(and|or)\s+/);
  // Liquid reads from the right: a mixture of both would be read otherwise.
  if (new Set(parts.filter((_, i) => i % 2 === 1)).size > 1) return null;
  const made = parts.map((part, i) => {
    if (i % 2 === 1) return part;
    if (isOperand.test(part)) return parts.includes("or") ? part : `${part} and ${part} != "" and ${part} != 0`;
    return comparison.test(part) ? part : null;
  });
  return made.includes(null) ? null : made.join(" ");
}

/** Parts of a text between marks that are in no quotes and brackets. */
function splitAt(text: string, mark: string): string[] {
  const parts = [""];
  let quote = "";
  let depth = 0;
  for (const char of text) {
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    if (char === mark && quote === "" && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** Fills templates of promptfoo with the values of a test. */
export interface Filler {
  /** The text with its places filled; null where Liquid cannot. */
  text: (template: string, vars: Readonly<Record<string, JsonValue>>) => string | null;
  /** The names that a template uses; null where it is no template that can be read. */
  names: (template: string) => string[] | null;
}

/** `env` are the variables of the configuration's `env`, for `{{ env.NAME }}`. */
export function templateFiller(env: Readonly<Record<string, JsonValue>>): Filler {
  const engine = liquid();
  const parse = remembered((template: string) => orNull(() => engine.parse(liquidOf(template) ?? "{{")));
  return {
    text: (template, vars) => {
      if (!isTemplate(template) && !template.includes("{#")) return template;
      // A list is written with commas, as JavaScript does.
      const written = template.replaceAll(/\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu, (place, name: string) =>
        Array.isArray(vars[name]) ? `{{ ${name} | join(",") }}` : place,
      );
      const made = parse(written);
      return made === null ? null : orNull(() => engine.fill(made, { ...vars, env }));
    },
    names: (template) => orNull(() => namesIn(liquidOf(template) ?? "{{")),
  };
}

function remembered<Made>(make: (template: string) => Made): (template: string) => Made {
  const known = new Map<string, Made>();
  return (template) => {
    const before = known.get(template);
    if (before !== undefined) return before;
    const made = make(template);
    known.set(template, made);
    return made;
  };
}

/** Liquid raises an Error for what it cannot read or fill. */
function orNull<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch {
    return null;
  }
}
