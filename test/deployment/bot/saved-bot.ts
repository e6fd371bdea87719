import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type VideoBotsBody, videoBotsOutput } from "../../../src/api/video-bots-schema.ts";
import { type Bot, type BotAnswer, loadBot } from "../../../src/deployment/bot/bot.ts";
import { botSettings } from "../../../src/deployment/bot/bot-settings.ts";

/** A small knowledge base in six languages: Markdown and JSONL. */
export const library = {
  "knowledge/hours.en.md": `---
id: hours-en
title: Opening hours
url: https://help.example.test/en/hours
language: en
tags: [hours]
---

The **Central Library** is open Monday to Friday from 08:30 to 20:00. On Saturday it opens from 09:00 to 17:00. On Sunday it opens from 11:00 to 16:00.

## Holidays

On 24 December we close at 13:00. See [the calendar](https://help.example.test/calendar).
`,
  "knowledge/cards.en.md": `# Lost cards

A replacement card costs 8 crowns. Call 0800 555 0142 at any time to block the old card.

Children under 12 get the first replacement card for free.
`,
  "knowledge/fines.en.md": `# Late fees

- Books cost 0.50 crowns per day.
- Films cost 2 crowns per day.

Fees stop at 15 crowns per item. Dr. Mensah can waive a fee.
`,
  "knowledge/more.jsonl": [
    {
      id: "hi-1",
      title: "खुलने का समय",
      text: "पुस्तकालय रविवार को सुबह 11 से शाम 4 बजे तक खुला रहता है। सोमवार को पुस्तकालय बंद रहता है।",
    },
    { id: "hi-2", title: "खोया हुआ कार्ड", text: "नया कार्ड 8 क्राउन का है। फ़ोन पर पुराना कार्ड रुकवा दीजिए।" },
    {
      id: "ar-1",
      title: "مواعيد العمل",
      text: "تفتح المكتبة يوم الأحد من الساعة 11 إلى الساعة 4. المكتبة مغلقة يوم الاثنين.",
    },
    { id: "ar-2", title: "البطاقة المفقودة", text: "ثمن البطاقة الجديدة 8 كراون. هل فقدت البطاقة؟ اتصل بنا فورًا." },
    {
      id: "es-1",
      title: "Horario de apertura",
      text: "La biblioteca abre los domingos de 11:00 a 16:00. Los lunes está cerrada.",
    },
    {
      id: "es-2",
      title: "Tarjeta perdida",
      text: "Una tarjeta nueva cuesta 8 coronas. Llame para bloquear la tarjeta antigua.",
    },
    {
      id: "sw-1",
      title: "Saa za kufungua",
      text: "Maktaba hufunguliwa Jumapili kuanzia saa tano hadi saa kumi. Jumatatu maktaba imefungwa.",
    },
    {
      id: "sw-2",
      title: "Kadi iliyopotea",
      text: "Kadi mpya inagharimu kroni 8. Piga simu ili kuzuia kadi ya zamani.",
    },
    { id: "am-1", title: "የመክፈቻ ሰዓት", text: "ቤተ መጻሕፍቱ እሑድ ከ11 እስከ 16 ሰዓት ይከፈታል። ሰኞ ቤተ መጻሕፍቱ ዝግ ነው።" },
    { id: "am-2", title: "የጠፋ ካርድ", text: "አዲስ ካርድ 8 ክሮን ያስከፍላል። የድሮውን ካርድ ለማገድ ይደውሉ።" },
  ]
    .map((line) => JSON.stringify(line))
    .join("\n"),
};

/** Writes files below a fresh folder that is removed after the test. */
export async function writeFolder(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-bot-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** A bot over the small knowledge base, with settings as a file would have them. */
export async function savedBot(settings: object = {}, files: Record<string, string> = library): Promise<Bot> {
  return loadBot(botSettings.parse({ knowledge: ["knowledge"], ...settings }), await writeFolder(files));
}

/** Asks a bot as the server does: merged over what is saved, with the bot's own stream of random numbers. */
export async function ask(bot: Bot, prompt: string, request: VideoBotsBody = {}): Promise<BotAnswer> {
  const merged = { ...bot.saved, input_prompt: prompt, messages: [], ...request };
  return bot.answer(merged, bot.randomOf(merged));
}

/** The first text of an answer. */
export async function reply(bot: Bot, prompt: string, request: VideoBotsBody = {}): Promise<string> {
  const { output_text: texts } = videoBotsOutput.parse((await ask(bot, prompt, request)).output);
  return texts?.[0] ?? "";
}
