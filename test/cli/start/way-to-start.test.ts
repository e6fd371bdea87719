import { expect, test } from "vitest";
import { wayToStart } from "../../../src/cli/start/begin.ts";

const main = "/home/me/tandem/dist/main.js";
const old = { version: "20.20.2", running: "/usr/bin/node", main };
const sentence = `tandem needs Node 22.19 or newer and this is 20.20.2: install a newer one (npm install --save-dev node@24 in your project, with its node_modules/.bin first in PATH), or type: npx -y -p node@24 -- node ${main}`;

test("a Node that is new enough runs the command itself, whatever the checkout brings", () => {
  expect(wayToStart({ ...old, version: "22.19.0", own: "/own/node" })).toEqual({ by: "this" });
});

test("an older one hands over to the checkout's own, and has a sentence for when that does not start", () => {
  expect(wayToStart({ ...old, own: "/own/node" })).toEqual({ by: "other", node: "/own/node", otherwise: sentence });
});

test("without another one, or where that is the one that runs, a sentence says what to type", () => {
  expect(wayToStart({ ...old, own: null })).toEqual({ by: "none", otherwise: sentence });
  expect(wayToStart({ ...old, own: old.running })).toEqual({ by: "none", otherwise: sentence });
});

test("what is to be typed can be typed, also where a folder has a space in its name", () => {
  const way = wayToStart({ ...old, own: null, main: "/my programs/main.js" });
  expect(way).toMatchObject({ otherwise: expect.stringMatching(/ -- node "\/my programs\/main\.js"$/) });
});
