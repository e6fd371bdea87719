import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { defaultEndpoint } from "../../api/endpoint-name.ts";
import { promptNeeded, withDefaults } from "../../dataset/cases/default-mapping.ts";
import { readHeader } from "../../dataset/header.ts";
import { isPromptfooSheet } from "../../dataset/import/promptfoo.ts";
import { AppError } from "../../errors.ts";
import { placeholder } from "../../lib/liquid-name.ts";
import { parseYaml } from "../../suite/yaml.ts";
import type { ConversionSource, Converted } from "../conversion.ts";
import { nameFor } from "../init.ts";
import { anyMapping } from "../sheet.ts";
import { isPromptfooConfig, readPromptfooConfig } from "./config.ts";
import { ConfigFolder } from "./folder.ts";
import { initPromptfoo } from "./init-promptfoo.ts";
import { needsConversion, testsOfSheet } from "./sheet-tests.ts";
import { LeftOut } from "./tests.ts";

/** Makes a suite of a configuration of promptfoo, or of a sheet of it that a judge or code grades; null: it is neither. */
export async function convertPromptfoo(source: ConversionSource): Promise<Converted | null> {
  const { path, format, standardInput, prompt, to, botFor, bots } = source;
  if (/\.ya?ml$/i.test(path)) return fromConfig(source);
  const { header } = await readHeader(path, { format, standardInput });
  if (header === null || !isPromptfooSheet(header) || !(await needsConversion(path, process.cwd(), format)))
    return null;
  const { input, withoutPrompt, notices } = withDefaults({ ...anyMapping, input: null }, header, [defaultEndpoint]);
  if (prompt === null && withoutPrompt.length > 0) throw promptNeeded(withoutPrompt, path);
  const { input_prompt: question } = input;
  const left = new LeftOut();
  if (prompt === null) for (const notice of notices) left.note("a prompt", notice);
  return initPromptfoo({
    path,
    prompts: [prompt ?? (typeof question === "string" ? placeholder(question) : "")],
    tests: await testsOfSheet(path, process.cwd(), format),
    providers: [],
    left,
    folder: new ConfigFolder(path),
    to,
    name: source.name ?? nameFor(path),
    botFor,
    bots,
  });
}

async function fromConfig(source: ConversionSource): Promise<Converted | null> {
  const { path, to, botFor, bots } = source;
  const text = textOf(path);
  if (!isPromptfooConfig(parseYaml(text, path).value)) return null;
  const config = await readPromptfooConfig(path, text);
  const prompts = source.prompt === null ? config.prompts : [source.prompt];
  // The file has the same name everywhere; its folder tells what it is about.
  const own = basename(path).replace(/\.ya?ml$/i, "");
  const name = source.name ?? (own === "promptfooconfig" ? basename(dirname(resolve(path))) || own : own);
  return initPromptfoo({ ...config, path, prompts, to, name, botFor, bots });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new AppError("DATASET_NOT_FOUND", `There is no file ${path}.`, { hint: "Check the path.", cause });
  }
}
