import { expect, test } from "vitest";
import { loadKnowledge } from "../../../src/deployment/bot/knowledge.ts";
import { library, writeFolder } from "./saved-bot.ts";

test("Markdown gives id, title, url, language and tags by front matter, else by the heading and the file's name", async () => {
  const articles = await loadKnowledge(["knowledge"], [], await writeFolder(library));
  expect(articles.find((article) => article.id === "hours-en")).toStrictEqual({
    id: "hours-en",
    title: "Opening hours",
    url: "https://help.example.test/en/hours",
    language: "en",
    tags: ["hours"],
    paragraphs: [
      {
        heading: "",
        text: "The Central Library is open Monday to Friday from 08:30 to 20:00. On Saturday it opens from 09:00 to 17:00. On Sunday it opens from 11:00 to 16:00.",
      },
      { heading: "Holidays", text: "On 24 December we close at 13:00. See the calendar." },
    ],
  });
  expect(articles.find((article) => article.id === "fines.en")).toMatchObject({
    title: "Late fees",
    url: "knowledge/fines.en.md",
    language: "en",
    paragraphs: [{ text: "Books cost 0.50 crowns per day.\nFilms cost 2 crowns per day." }, {}],
  });
});

test("JSONL gives one article a line; a missing language is guessed, a topic serves as title", async () => {
  const folder = await writeFolder({
    "a.jsonl":
      '{"id":1,"topic":"Super_Bowl","text":"The game was played in February."}\n\n{"id":"b","text":"यह खेल है।","url":"https://x.test/b"}\n',
  });
  const articles = await loadKnowledge(["a.jsonl"], [], folder);
  expect(articles.map(({ id, title, url, language }) => ({ id, title, url, language }))).toStrictEqual([
    { id: "1", title: "Super Bowl", url: "a.jsonl#1", language: "en" },
    { id: "b", title: "b", url: "https://x.test/b", language: "hi" },
  ]);
});

test.each([
  [
    "a line that is not JSON",
    { "k/a.jsonl": '{"id":"a","text":"x"}\n{"id":' },
    /k\/a\.jsonl:2:1: this line is not an article/,
  ],
  ["a line without text", { "k/a.jsonl": '{"id":"a"}' }, /k\/a\.jsonl:1:1: .*text/],
  [
    "front matter that is not YAML",
    { "k/a.md": "---\nid: a\ntitle: b: c\n---\nText" },
    /k\/a\.md:3:\d+: the front matter/,
  ],
  ["front matter with a wrong type", { "k/a.md": "---\ntitle: [1]\n---\nText" }, /k\/a\.md:1:1: .*title/],
  [
    "the same id twice",
    { "k/a.jsonl": '{"id":"a","text":"The desk is open."}\n{"id":"a","text":"The desk is shut."}' },
    /Two articles have the id "a": k\/a\.jsonl/,
  ],
])("%s is refused with its place", async (_name, files, message) => {
  const folder = await writeFolder(files);
  await expect(loadKnowledge(["k"], [], folder)).rejects.toMatchObject({
    code: "DEPLOYMENT_INVALID",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(/\S/),
  });
});

test("the name of a file tells the language of its articles, so that ids may return in each", async () => {
  const line = '{"id":"a","text":"3"}';
  const folder = await writeFolder({ "k/facts.en.jsonl": line, "k/facts.hi.jsonl": line, "k/hours.sw.md": "# 4\n\n5" });
  const articles = await loadKnowledge(["k"], [], folder);
  expect(articles.map(({ language }) => language)).toEqual(["en", "hi", "sw"]);
});

test("a path that is not there is refused", async () => {
  await expect(loadKnowledge(["nowhere"], [], await writeFolder({}))).rejects.toMatchObject({
    code: "DEPLOYMENT_INVALID",
    message: expect.stringMatching(/nowhere cannot be read/),
  });
});

test("README.md in a folder is no article, and Windows line ends and a byte order mark do no harm", async () => {
  const folder = await writeFolder({
    "k/README.md": "# About",
    "k/a.md": "\uFEFF---\r\nid: x\r\n---\r\n# Title\r\n\r\nText one.\r\nText two.\r\n",
  });
  const articles = await loadKnowledge(["k"], [], folder);
  expect(articles).toMatchObject([
    { id: "x", title: "Title", paragraphs: [{ heading: "", text: "Text one. Text two." }] },
  ]);
});
