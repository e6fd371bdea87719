import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { defaultEndpoint } from "../../api/endpoint-name.ts";
import { promptNeeded, withDefaults } from "../../dataset/cases/default-mapping.ts";
import { isPromptfooSheet } from "../../dataset/import/promptfoo.ts";
import { AppError } from "../../errors.ts";
import { isJsonObject, parsedJson } from "../../lib/json.ts";
import { placeholder } from "../../lib/liquid-name.ts";
import { isSmallJson } from "../../lib/small-json.ts";
import { parseYaml } from "../../suite/yaml.ts";
import type { ConversionSource, Converted } from "../conversion.ts";
import { nameFor } from "../init.ts";
import { anyMapping } from "../sheet.ts";
import { isPromptfooConfig, readPromptfooConfig } from "./config.ts";
import { ConfigFolder } from "./folder.ts";
import { initPromptfoo } from "./init-promptfoo.ts";
import { LeftOut } from "./left-out.ts";
import { Placed } from "./place.ts";
import type { PromptfooPrompt } from "./prompts.ts";
import { needConversion, testsOfSheet } from "./sheet-tests.ts";

/** Makes a suite of a configuration of promptfoo, or of a sheet of it that a judge or code grades. */
export async function convertPromptfoo(source: ConversionSource): Promise<Converted | null> {
  const { path, format, sheets, prompt } = source;
  if (/\.ya?ml$/i.test(path) || isSmallJson(path)) {
    const made = await fromConfig(source);
    if (made !== null || !/\.json$/i.test(path)) return made;
  }
  const { header } = await sheets.table(path).beginning(format);
  if (header === null || !isPromptfooSheet(header)) return null;
  const [left, folder] = [new LeftOut(), new ConfigFolder(path)];
  const tests = await testsOfSheet(path, { sheets, format }, { left, folder, templates: new Placed({}, path) });
  if (!needConversion(tests)) return null;
  const { input, withoutPrompt, notices } = withDefaults({ ...anyMapping, input: null }, header, [defaultEndpoint]);
  if (prompt === null && withoutPrompt.length > 0) throw promptNeeded(withoutPrompt, path);
  const { input_prompt: question } = input;
  if (prompt === null) for (const notice of notices) left.note("a prompt", notice);
  const config = {
    prompts: [given(prompt ?? (typeof question === "string" ? placeholder(question) : ""), path)],
    tests,
    providers: [],
    env: {},
    running: { repeats: null, concurrency: null, delay: null, timeout: null },
    left,
    folder,
  };
  return initPromptfoo(config, { ...source, name: source.name ?? nameFor(path) });
}

/** A prompt that was given beside the file. */
function given(text: string, place: string): PromptfooPrompt {
  return { text, label: null, names: [text], file: null, body: null, place };
}

async function fromConfig(source: ConversionSource): Promise<Converted | null> {
  const { path } = source;
  const text = textOf(path);
  // A dataset of JSON is a list, or has an object a line.
  if (/\.json$/i.test(path) && !isJsonObject(parsedJson(text))) return null;
  if (!isPromptfooConfig(parseYaml(text, path).value)) return null;
  const config = await readPromptfooConfig(path, text);
  const prompts = source.prompt === null ? config.prompts : [given(source.prompt, path)];
  // The file has the same name everywhere; its folder tells what it is about.
  const own = basename(path).replace(/\.(?:ya?ml|json)$/i, "");
  const name = source.name ?? (own === "promptfooconfig" ? basename(dirname(resolve(path))) || own : own);
  return initPromptfoo({ ...config, prompts }, { ...source, name });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new AppError("DATASET_NOT_FOUND", `There is no file ${path}.`, { hint: "Check the path.", cause });
  }
}
