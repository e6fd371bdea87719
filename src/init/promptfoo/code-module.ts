import { compileFunction } from "node:vm";
import { type TestCode, writtenColumns, type WrittenTests } from "./rows.ts";

/** Files of code that lie where promptfoo's own file is. */
interface CodeFiles {
  /** The path for an `import` of a file of the configuration's folder. */
  pathOf: (file: string) => string | null;
  /** Answers are JSON that code is given as objects. */
  readsJson: boolean;
}

/**
 * The module with promptfoo's JavaScript, as it was written. Nothing of it runs here: it is parsed only, so that one
 * that is no JavaScript does not break the others.
 */
export function codeModule(
  { code, typed }: Pick<WrittenTests, "code" | "typed">,
  from: string,
  files: CodeFiles,
): string {
  return [
    `// Made by \`tandem init\` from ${oneLine(from)}: its javascript assertions, as they were written there.`,
    "// Read them before you run the suite: they run with your rights. `tandem run --no-code` refuses them.",
    "",
    "const assertions = {",
    ...Array.from(code, ([name, own]) => entry(name, own, files)),
    "};",
    `const readsJson = ${files.readsJson};`,
    "",
    "/** Variables that are numbers, lists and the like: their cells are JSON. */",
    `const typed = new Set(${JSON.stringify([...typed])});`,
    "",
    runner,
  ].join("\n");
}

function entry(name: string, { code, threshold, not, transforms, config }: TestCode, files: CodeFiles): string {
  const facts = [
    ...(threshold === null ? [] : [`threshold: ${threshold}`]),
    ...(not ? ["not: true"] : []),
    ...(config === null ? [] : [`config: ${JSON.stringify(config)}`]),
    ...(transforms.length === 0
      ? []
      : [
          `transforms: [\n${transforms.map((each) => `      { ${functionOf("run", each, files)} },`).join("\n")}\n    ]`,
        ]),
    functionOf("run", code, files),
  ];
  return [`  ${name}: {`, ...facts.map((fact) => `    ${fact},`), "  },"].join("\n");
}

/** The member of the entry with its function, or with the reason why there is none. */
function functionOf(name: string, code: string, files: CodeFiles): string {
  const [, file, exported = "default"] = /^file:\/\/(.+?\.[cm]?[jt]s)(?::(\w+))?$/.exec(code) ?? [];
  if (file !== undefined) {
    const path = files.pathOf(file);
    if (path === null) return broken(`${file} is not in the folder of the configuration`);
    return `${name}: async (output, context) => (await import(${JSON.stringify(path)}))[${JSON.stringify(exported)}](output, context)`;
  }
  for (const body of code.includes("\n") ? [code, `return ${code}`] : [`return ${code}`, lastReturned(code), code]) {
    if (parses(body)) return `${name}: (output, context) => {\n      ${body.split("\n").join("\n      ")}\n    }`;
  }
  return broken(`this is not JavaScript: ${code}`);
}

/** `const x = 1; x > 0`, with the last part returned. */
function lastReturned(code: string): string {
  const trimmed = code.replace(/[;\s]+$/, "");
  const at = trimmed.lastIndexOf(";");
  return at < 0 ? trimmed : `${trimmed.slice(0, at + 1)} return ${trimmed.slice(at + 1).trim()}`;
}

/** An assertion that cannot run leaves its answers without a score. */
const broken = (reason: string): string => `broken: ${JSON.stringify(reason)}`;

/**
 * Parses the body of a function without running it. It is parsed by itself, so that no closing brace of its own ends the
 * function that it is written into.
 */
function parses(body: string): boolean {
  try {
    compileFunction(`"use strict";\n${body}`, ["output", "context"]);
    return true;
  } catch {
    return false;
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** The part that reads a row and calls what it names. */
const runner = `/** Grades by one of the assertions that the row names: the first, or the one that \`options.number\` says. */
export default async function grade({ text, question, columns, options = {} }) {
  const name = JSON.parse(columns["${writtenColumns.code}"])[(options.number ?? 1) - 1];
  const assertion = assertions[name];
  const broken = [assertion, ...(assertion.transforms ?? [])].find((each) => each.broken !== undefined);
  if (broken !== undefined) throw new Error(\`\${name}: \${broken.broken}\`);
  const vars = Object.fromEntries(Object.entries(columns).map(([column, cell]) => [column, typed.has(column) ? valueOf(cell) : cell]));
  const context = { vars, prompt: question, test: { vars }, config: assertion.config ?? {} };
  try {
    let output = readsJson ? valueOf(text ?? "") : (text ?? "");
    for (const transform of assertion.transforms ?? []) output = await transform.run(output, context);
    return resultOf(await assertion.run(output, context), assertion, name);
  } catch (error) {
    // As promptfoo has it: an assertion that throws, such as JSON.parse of an answer that is no JSON, fails.
    return { value: 0, pass: false, reason: \`\${name}: \${error.message}\` };
  }
}

/** A result as promptfoo takes it: true or false, a number, or {pass, score, reason}. Its score counts between 0 and 1. */
function resultOf(said, { threshold, not = false }, name) {
  if (typeof said === "boolean") return { value: Number(said !== not), pass: said !== not, reason: \`\${name} returned \${said}\` };
  const isResult = typeof said === "object" && said !== null;
  const score = isResult ? (said.score ?? Number(said.pass)) : said;
  if (typeof score !== "number" || !Number.isFinite(score)) throw new Error(\`it returned \${JSON.stringify(said)}\`);
  const passes = isResult ? Boolean(said.pass) : threshold === undefined ? score > 0 : score >= threshold;
  const value = Math.min(1, Math.max(0, score));
  return { value, pass: passes !== not, reason: String(said?.reason ?? \`\${name} returned \${score}\`) };
}

function valueOf(cell) {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
`;
