import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { AppError } from "../../../errors.ts";
import { isJsonObject } from "../../../lib/json.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { isSmallJson } from "../../../lib/small-json.ts";
import { parts } from "../../../parts/parts.ts";
import { suiteFileName } from "../../../suite/file-name.ts";
import { parseJson } from "../../../text/json-in-text.ts";
import { sheetsHere } from "../../sheets-here.ts";
import type { Terminal } from "../../terminal.ts";

/**
 * The suite of a file of another program, made beside it as `tandem init` does; any other path as it is. It stops where a
 * person should look first: at code, or because nobody of the file can be asked.
 */
export async function convertedSuite(path: string, terminal: Terminal): Promise<string> {
  if (!(/\.ya?ml$/i.test(path) || isSmallJson(path)) || !isOfOthers(path)) return path;
  const folder = dirname(path);
  const suite = join(folder, suiteFileName);
  const shown = relative("", suite);
  const next = `tandem run${folder === "." ? "" : ` ${shellWord(shown)}`}`;
  if (existsSync(suite) && readFileSync(suite, "utf8").includes(`\`tandem init\` from ${basename(path)}`)) {
    terminal.note(`${shown} was made of ${path} before, and is run. To make it anew, move it away.`);
    return suite;
  }
  using sheets = sheetsHere();
  const { promptfooText, writtenText } = await import("../init/init.text.ts");
  for (const { convert } of parts) {
    const made = await convert?.({
      path,
      format: undefined,
      sheets,
      prompt: null,
      to: folder,
      name: undefined,
      force: false,
    });
    if (made === undefined || made === null) continue;
    terminal.note(promptfooText({ ...made, env: process.env }));
    terminal.note(writtenText(made.files, null));
    if (made.isStandIn) {
      throw new AppError("USAGE", `Nobody that ${path} asks can be asked here: a bot stands in for them.`, {
        hint: `Write whom to ask into ${shown}, then: ${next}`,
      });
    }
    if (made.runsCode) {
      throw new AppError("USAGE", `${path} grades by JavaScript, which runs with your rights.`, {
        hint: `Read ${relative("", join(folder, "assertions.mjs"))}, then: ${next}`,
      });
    }
    return suite;
  }
  return path;
}

/** True for YAML or JSON that is no suite and has members of a configuration of promptfoo, as far as its lines tell. */
function isOfOthers(path: string): boolean {
  const names = topNames(existsSync(path) ? readFileSync(path, "utf8") : "");
  if (names.has("dataset") || names.has("deployments")) return false;
  return ["prompts", "providers", "tests", "scenarios", "defaultTest"].some((name) => names.has(name));
}

/** The names of the members of a text: JSON, which is YAML too, or a name at the start of a line. */
function topNames(text: string): ReadonlySet<string> {
  if (!/^\s*[[{]/.test(text)) return new Set(Array.from(text.matchAll(/^(\w+)\s*:/gm), ([, name = ""]) => name));
  const value = parseJson(text);
  return new Set(isJsonObject(value) ? Object.keys(value) : []);
}
