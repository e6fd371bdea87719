import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { MessageEntry } from "../../src/api/messages.ts";
import { videoBotsBody } from "../../src/api/video-bots-schema.ts";
import { type Bot, loadBot } from "../../src/deployment/bot/bot.ts";
import { type BotSettings, botSettings } from "../../src/deployment/bot/bot-settings.ts";
import { datasets } from "./sheet.ts";

/** The two served directories of the help desk. */
export type Side = "prod" | "test";

/** The folder that is served for a side. */
export function servedFolder(side: Side): string {
  return join(datasets, "help-desk/bots", side);
}

/** The saved configuration of the help desk's bot. */
export async function readDesk(side: Side): Promise<BotSettings> {
  return botSettings.parse(parse(await readFile(join(servedFolder(side), "bots/helpdesk.yaml"), "utf8")));
}

/** The help desk's bot, freshly started: it repeats itself from here on. */
export async function openDesk(side: Side): Promise<Bot> {
  return loadBot(await readDesk(side), servedFolder(side));
}

/** The first answer of a bot to a question, as the suites send it and the server merges it. */
export async function ask(
  bot: Bot,
  { question, language }: { question: string; language: string },
  messages: MessageEntry[] = [],
): Promise<string> {
  const request = videoBotsBody.parse({ ...bot.saved, input_prompt: question, messages, variables: { language } });
  const { output, error } = await bot.answer(request, bot.randomOf(request));
  const [text = ""] = error === null ? z.array(z.string()).parse(output.output_text) : [];
  return text;
}
