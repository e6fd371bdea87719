import { SaxesParser } from "saxes";

/** An element as a schema allows it. Attributes that are required end with `!`; each may have a pattern. */
interface Rule {
  attributes: Record<string, RegExp | null>;
  children: readonly string[];
  hasText: boolean;
}

/** Times as Surefire writes them, in seconds. */
const time = /^(?:(?:\d{0,3},)*\d{3}|\d{0,3})*(?:\.\d*)?$/;
const said: Rule = { attributes: { type: null, message: null }, children: [], hasText: true };
const text: Rule = { attributes: {}, children: [], hasText: true };

/** The rules of the schema of Jenkins's xUnit plug-in (`junit-10.xsd`), as far as a report of ours has such elements. */
const rules: Record<string, Rule> = {
  testsuites: {
    attributes: { name: null, time, tests: null, failures: null, errors: null },
    children: ["testsuite"],
    hasText: false,
  },
  testsuite: {
    attributes: {
      "name!": null,
      "tests!": null,
      "failures!": null,
      "errors!": null,
      group: null,
      time,
      skipped: null,
      timestamp: null,
      hostname: null,
      id: null,
      package: null,
      file: null,
      log: null,
      url: null,
    },
    children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
    hasText: false,
  },
  properties: { attributes: {}, children: ["property"], hasText: false },
  property: { attributes: { "name!": null, "value!": null }, children: [], hasText: false },
  testcase: {
    attributes: { "name!": null, time: null, classname: null, group: null },
    children: ["skipped", "error", "failure", "system-out", "system-err"],
    hasText: false,
  },
  skipped: said,
  error: said,
  failure: said,
  "system-out": text,
  "system-err": text,
};

/** Every place in which a document is no report of tests by that schema; empty where it is one. Throws for what is no XML. */
export function faultsOfJunit(xml: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const parent = open.at(-1);
    const own = rules[name];
    if (parent === undefined ? name !== "testsuites" : rules[parent]?.children.includes(name) !== true) {
      faults.push(`<${name}> in ${parent ?? "the document"}`);
    }
    for (const [attribute, pattern] of Object.entries(own?.attributes ?? {})) {
      const value: string | undefined = attributes[attribute.replace("!", "")];
      if (value === undefined && attribute.endsWith("!")) faults.push(`<${name}> without ${attribute}`);
      if (value !== undefined && pattern !== null && !pattern.test(value)) faults.push(`${attribute}="${value}"`);
    }
    for (const attribute of Object.keys(attributes)) {
      if (own === undefined || !(attribute in own.attributes || `${attribute}!` in own.attributes)) {
        faults.push(`${attribute} of <${name}>`);
      }
    }
    open.push(name);
  });
  parser.on("text", (found) => {
    if (found.trim() !== "" && rules[open.at(-1) ?? ""]?.hasText !== true) faults.push(`text in <${open.at(-1)}>`);
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return faults;
}
