import { expect, test } from "vitest";
import { addPin, findPin, listPins, removePin } from "../../src/store/pins/pins.ts";
import { findReference } from "../../src/app/compare/batch-reference.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "./batch.ts";

test("a pin names batches in their order, and its name is found before that of a batch", async () => {
  const db = temporaryDatabase();
  const [one, two] = [await plannedBatch(db, [oneCase("a")]), await plannedBatch(db, [oneCase("a")])];
  addPin(db, { name: "week", batches: [two, one], replace: false, at: 5 });
  expect(listPins(db)).toEqual([
    { name: "week", createdAt: 5, batches: [two, one].map(({ id, name }) => ({ id, name })) },
  ]);
  expect(findReference(db, "week:prod")).toMatchObject({
    name: "week",
    target: "prod",
    batches: [{ id: two.id }, { id: one.id }],
  });
  expect(findReference(db, `${one.suiteName}~1`)).toMatchObject({ name: one.name, target: null });
  expect(() => findReference(db, "weak:prod")).toThrow('There is no batch "weak"');
});

test("a name is given once, unless it is taken away on purpose", async () => {
  const db = temporaryDatabase();
  const batch = await plannedBatch(db, [oneCase("a")]);
  const pin = { name: "week", batches: [batch], at: 1 };
  addPin(db, { ...pin, replace: false });
  expect(() => addPin(db, { ...pin, replace: false })).toThrow('already a pin "week"');
  addPin(db, { ...pin, replace: true, at: 2 });
  expect(findPin(db, "week")?.createdAt).toBe(2);
  removePin(db, "week");
  expect(findPin(db, "week")).toBeNull();
  expect(() => removePin(db, "week")).toThrow('no pin "week"');
});
