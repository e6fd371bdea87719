import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { isPromptfooSheet } from "../../../dataset/import/promptfoo.ts";
import { readHeader } from "../../../dataset/header.ts";
import { promptNeeded, withDefaults } from "../../../dataset/cases/default-mapping.ts";
import { defaultEndpoint } from "../../../api/endpoint-name.ts";
import { AppError } from "../../../errors.ts";
import { nameFor } from "../../../init/init.ts";
import { isPromptfooConfig, readPromptfooConfig } from "../../../init/promptfoo/config.ts";
import { ConfigFolder } from "../../../init/promptfoo/folder.ts";
import { initPromptfoo, type MadeFromPromptfoo, type PromptfooInit } from "../../../init/promptfoo/init-promptfoo.ts";
import { needsConversion, testsOfSheet } from "../../../init/promptfoo/sheet-tests.ts";
import { LeftOut } from "../../../init/promptfoo/tests.ts";
import { anyMapping } from "../../../init/sheet.ts";
import { placeholder } from "../../../lib/liquid-name.ts";
import { type FormatFlags, formatFromFlags } from "../../../suite/flags/format-flags.ts";
import { parseYaml } from "../../../suite/yaml.ts";

interface PromptfooFlags extends FormatFlags {
  dir: string;
  name?: string | undefined;
  bots?: string | undefined;
}

/** The text that is sent, if a flag gave it, and what makes the suite's parts for the bot that a person names. */
type Given = { prompt: string | null } & Required<Pick<PromptfooInit, "botFor">>;

/** A suite from a configuration of promptfoo, or from a sheet of it that a judge or code grades; null: it is neither. */
export async function fromPromptfoo(
  path: string,
  flags: PromptfooFlags,
  { prompt, botFor }: Given,
): Promise<MadeFromPromptfoo | null> {
  if (/\.ya?ml$/i.test(path)) return fromConfig(path, flags, { prompt, botFor });
  const format = formatFromFlags(flags);
  const { header } = await readHeader(path, { format, standardInput: process.stdin });
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
    to: flags.dir,
    name: flags.name ?? nameFor(path),
    botFor,
    bots: flags.bots,
  });
}

async function fromConfig(path: string, flags: PromptfooFlags, { prompt, botFor }: Given): Promise<MadeFromPromptfoo> {
  const text = textOf(path);
  if (!isPromptfooConfig(parseYaml(text, path).value)) {
    throw new AppError("USAGE", `${path} is no configuration of promptfoo, and no dataset.`, {
      hint: "A configuration has prompts, providers and tests. A suite needs no init: tandem validate checks it.",
    });
  }
  const config = await readPromptfooConfig(path, text);
  const prompts = prompt === null ? config.prompts : [prompt];
  // The file has the same name everywhere; its folder tells what it is about.
  const own = basename(path).replace(/\.ya?ml$/i, "");
  const name = flags.name ?? (own === "promptfooconfig" ? basename(dirname(resolve(path))) || own : own);
  return initPromptfoo({ ...config, path, prompts, to: flags.dir, name, botFor, bots: flags.bots });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new AppError("DATASET_NOT_FOUND", `There is no file ${path}.`, { hint: "Check the path.", cause });
  }
}
