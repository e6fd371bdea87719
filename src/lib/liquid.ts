import { loadBuiltIn } from "./built-in.ts";
import type * as Library from "liquidjs";
import type { Context, Liquid, Template } from "liquidjs";

/** A Liquid engine whose templates reach neither files nor prototypes, and end. */
export interface Templates {
  /** Raises an Error for a text that is not Liquid. */
  parse: (text: string) => Template[];
  variables: Liquid["globalVariableSegmentsSync"];
  /** The variables that stand elsewhere than in `{{ x }}`: in filters, comparisons and tags. */
  altered: (parsed: Template[]) => ReturnType<Liquid["globalVariableSegmentsSync"]>;
  /** Raises an Error for a template that cannot be filled, and for one that takes too long or makes too much. */
  fill: (parsed: Template[], scope: object) => string;
}

/** Milliseconds, and characters or entries of lists, that one filling may take; those that it may give. */
const longest = 1_000;
const mostMade = 1e7;
const mostGiven = 3.2e7;

const library = (): typeof Library => loadBuiltIn("liquid", "liquidjs");

/** Loads the library with the first template. */
export const createLiquid = async (): Promise<Templates> => templatesOf(library());

const loaded: { plain: Templates | null; encoding: Templates | null; lenient: Templates | null } = {
  plain: null,
  encoding: null,
  lenient: null,
};

/** The engine for those who cannot wait. It loads the library with its first use. */
export function liquid(): Templates {
  loaded.plain ??= templatesOf(library());
  return loaded.plain;
}

/** The same for the path of an address: each value that a template gives is encoded, so that it ends no segment. */
export function pathLiquid(): Templates {
  loaded.encoding ??= templatesOf(library(), { encodes: true });
  return loaded.encoding;
}

/** The same for scripts of services, which have filters of their own: one that there is none of changes nothing. */
export function lenientLiquid(): Templates {
  loaded.lenient ??= templatesOf(library(), { strictFilters: false });
  return loaded.lenient;
}

/** Properties of an engine. */
interface EngineForm {
  /** A filter that there is none of is refused; default true. */
  strictFilters?: boolean;
  /** Values are percent-encoded as they are given; default false. */
  encodes?: boolean;
}

function templatesOf(
  { Liquid: Engine, Context: Scope, Output, toValueSync }: typeof Library,
  { strictFilters = true, encodes = false }: EngineForm = {},
): Templates {
  const engine = new Engine({
    ownPropertyOnly: true,
    strictFilters,
    templates: {},
    parseLimit: 1e6,
    renderLimit: longest,
    memoryLimit: mostMade,
    ...(encodes && { outputEscape: (value: unknown) => encodeURIComponent(textOf(value)) }),
  });
  // The library's own would let a value through as it is.
  if (encodes) engine.registerFilter("raw", (value: unknown) => value);
  for (const tag of ["include", "render", "layout", "block"]) delete engine.tags[tag];
  const isBare = (part: Template): boolean =>
    part instanceof Output && part.value.filters.length === 0 && part.value.initial.postfix.length === 1;
  return {
    parse: (text) => engine.parse(text),
    variables: (parsed) => engine.globalVariableSegmentsSync(parsed),
    altered: (parsed) => engine.globalVariableSegmentsSync(parsed.filter((part) => !isBare(part))),
    fill: (parsed, scope) => {
      const context: Context = new Scope(scope, engine.options, { sync: true }, { liquid: engine });
      const given = boundedText();
      toValueSync(engine.renderer.renderTemplates(parsed, context, given));
      return given.buffer;
    },
  };
}

/** Collects what a template gives. */
function boundedText(): { buffer: string; write: (part: unknown) => void } {
  const given = {
    buffer: "",
    write: (part: unknown) => {
      given.buffer += textOf(part);
      if (given.buffer.length > mostGiven) throw new RangeError("it gives more than 32 million characters");
    },
  };
  return given;
}

/** A value as Liquid writes it. */
function textOf(part: unknown): string {
  if (part === null || part === undefined) return "";
  if (Array.isArray(part)) return part.map(textOf).join("");
  if (typeof part === "string") return part;
  return typeof part === "number" || typeof part === "boolean" ? String(part) : "[object Object]";
}
