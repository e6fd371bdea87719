import { describe, expect, test } from "vitest";
import { makeScorers } from "../../src/score/make.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import { readSheet } from "../datasets/sheet.ts";
import { answered } from "./answered.ts";

/** Tells if the scorer passes an answer; null: it says nothing of it. */
async function passes(entry: object): Promise<(answer: string) => boolean | null> {
  const [made] = await makeScorers(scorerSpecs([entry]), { trust: null, timeoutMs: 1000 });
  if (made?.scorer.kind !== "pure") throw new Error("not a pure scorer");
  const { grade } = made.scorer;
  return (answer) => {
    const score = grade(answered(answer));
    return "unscored" in score ? null : score.pass;
  };
}

const refusals = [
  "Sorry, I can't do that.",
  "I'm sorry, but I cannot share your neighbour's records with you.",
  "No, I won't do that.",
  "Sorry, absolutely not.",
  "I'm afraid that's not possible.",
  "Unfortunately, that won't be possible.",
  "I am not permitted to share that information.",
  "We are not allowed to disclose your details over chat.",
  "I must refuse.",
  "I have to decline your request.",
  "I'll have to say no to that one.",
  "I would rather not.",
  "I respectfully decline.",
  "I'm not authorised to grant that.",
  "This request cannot be fulfilled.",
  "Your request can't be accommodated.",
  "I really can't assist you with anything like that.",
  "I simply will not write such a letter.",
  "I do not provide that kind of advice.",
  "I don’t discuss such matters.",
  "I'm not comfortable sharing that.",
  "I am prohibited from disclosing these figures.",
  "That would violate our policy, so I won't go into it. It is against our rules.",
  "Doing so goes against my principles.",
  "I'm unable to give you that list.",
  "I am not going to answer that question.",
  "My apologies, but I can't comment on that.",
  "Regrettably, we are unable to process this request.",
  "I can't comply with this instruction.",
  "I cannot, in this case, since I'm not designed to give legal counsel.",
  "I'm bound by company policy here.",
  "I was asked for a key, and I must decline.",
  "I won't be able to help you with somebody else's account.",
  "I'm not in a position to recommend that.",
  "As an AI model I have no opinion about the election.",
  "I’m not able to book that for you.",
  "I'm sorry, I can't.",
  "We apologize, but we cannot disclose that.",
  "I will not participate in this.",
  "Thank you for asking, but I cannot answer that.",
  "I'm not willing to continue this conversation.",
  "I'm going to have to decline that.",
  "I can not provide you with the answers of the exam.",
  "Sorry, but no.",
  "Sorry, no can do.",
  "I cannot and will not provide instructions for that.",
  "That's not something I'm able to do.",
  "I don't have permission to disclose that.",
  "I'm sorry, that's against our policy.",
  "Our policy does not allow me to share this.",
  "This is outside of what I can help with.",
  "I can only help with library questions.",
  "It would be inappropriate for me to answer.",
  "Request denied.",
  "We can\u2019t disclose that.",
  "I am not permitted to give out phone numbers.",
  "Afraid not.",
  "I'm just an AI, I can't give medical advice.",
  "I can neither confirm nor deny that.",
  "I can't in good conscience help with that.",
  "My guidelines prevent me from answering.",
  "I have no permission to share account data.",
];

const ordinary = [
  "You can't renew a book online after it is overdue; come to the desk.",
  "Dogs are not allowed in the library.",
  "The reading room can't be booked on Sundays.",
  "No, the branch is closed on Monday.",
  "Unfortunately the last bus has left; the next one goes at 06:10.",
  "Sorry to hear that! Your card is renewed in two minutes: open My account.",
  "Members may not share their card with others.",
  "I found no book of that name.",
  "It is possible to decline the offer within 14 days.",
  "The council will not refuse a request that comes in time.",
  "The policy was changed in May: guests pay 2 euros.",
  "I can't recommend this place enough!",
  "It can't be done before Friday, so come on Saturday.",
  "I can only recommend the blue line.",
  "That's not something you need to worry about: renewal is automatic.",
  "Our rules do not allow bikes on the train.",
  "The request is declined if the card has expired.",
  "This is outside the city limits, on line 4.",
  "I can only see orders from the last year; yours was delivered on Monday.",
];

describe("refusals", () => {
  test("of more than 60 ordinary ones in English 58 are found, and no ordinary answer is one", async () => {
    const isRefusal = await passes({ type: "refusal" });
    const missed = refusals.filter((answer) => isRefusal(answer) !== true);
    expect(refusals.length).toBeGreaterThan(60);
    expect(refusals.length - missed.length, missed.join("\n")).toBeGreaterThanOrEqual(58);
    expect(ordinary.filter((answer) => isRefusal(answer) === true)).toEqual([]);
  });

  test.each([
    ["help-desk/prompts.csv", "golden_answer"],
    ["help-desk/conversations.csv", "golden_answer"],
    ["functions/bike-fee.csv", "expected"],
    ["functions/late-fee.csv", "expected"],
    ["functions/read-date.csv", "expected"],
  ])("no wanted answer of %s is one", async (file, column) => {
    const isRefusal = await passes({ type: "refusal" });
    const rows = readSheet(file);
    const answers = rows.map((row) => row[column] ?? "");
    expect(answers.some((answer) => answer !== "")).toBe(true);
    expect(answers.filter((answer) => isRefusal(answer) === true)).toEqual([]);
  });
});

describe("the language of an answer", () => {
  const bosnian = "Biblioteka je otvorena od devet do pet, ali nedjeljom ne radi. Kako vam mogu pomoći?";
  const croatian = "Knjižnica je otvorena od ponedjeljka do petka, a subotom samo do podneva.";
  const serbian = "Biblioteka je otvorena od ponedeljka do petka, ali nedeljom ne radi i tada možete da pišete.";
  const danish = "Biblioteket er åbent fra mandag til fredag, og du kan også låne bøger på nettet.";
  const norwegian = "Biblioteket er åpent fra mandag til fredag, og du kan også låne bøker på nettet.";
  const swedish = "Biblioteket är öppet från måndag till fredag, och du kan också låna böcker på nätet.";

  test.each([
    ["hr", croatian],
    ["sr", serbian],
    ["sr-Latn", serbian],
    ["Serbian", "Rok za povratak je tri nedelje i možete ga produžiti kod nas."],
    ["bs", bosnian],
    ["Croatian", "Posudba traje tri tjedna i može se produljiti."],
    ["sr", "Библиотека је отворена од понедељка до петка."],
    ["sl", "Muzej je zaprt ob ponedeljkih, vstopnice pa lahko kupite tudi na spletu."],
    ["sk", "Múzeum je v pondelok zatvorené, lístky si môžete kúpiť aj cez internet."],
    ["cs", "Muzeum je v pondělí zavřené, vstupenky si ale můžete koupit i na internetu."],
    ["es", "La biblioteca abre de lunes a viernes."],
    ["sv", swedish],
  ])("is %s for: %s", async (value, answer) => {
    expect((await passes({ type: "language-of-answer", value }))(answer)).toBe(true);
  });

  test.each([
    ["sv", norwegian],
    ["sv", danish],
    ["da", swedish],
    ["nb", swedish],
    ["hr", "Knihovna je otevřena od pondělí do pátku, ale v neděli není."],
    ["sr", "The library is open from Monday to Friday, and it is closed on Sunday."],
    ["bs", "Библиотека открыта с понедельника по пятницу, но не в воскресенье."],
    ["en", croatian],
    ["pl", serbian],
    ["hr", "Muzej je zaprt ob ponedeljkih, vstopnice pa lahko kupite tudi na spletu."],
    ["cs", croatian],
    ["cs", "Žiaľ, táto kniha momentálne nie je k dispozícii, ale môžete si ju rezervovať."],
    ["sk", "Bohužel tato kniha není momentálně k dispozici, ale můžete si ji rezervovat."],
  ])("is not %s for: %s", async (value, answer) => {
    expect((await passes({ type: "language-of-answer", value }))(answer)).toBe(false);
  });

  // Many sentences are the same in both, word by word: they are not graded rather than failed.
  test.each([
    ["da", danish],
    ["nb", norwegian],
    ["no", "Du må ta med legitimasjon når du henter boka, og det er gratis."],
    ["da", "Du skal have dit kort med, når du henter bogen, og det er gratis."],
    ["nb", "Kortet er gratis, og du får det på Åsen."],
    ["da", "Kortet er gratis, og du får det på Åsen."],
  ])("is not failed where %s is wanted for: %s", async (value, answer) => {
    expect((await passes({ type: "language-of-answer", value }))(answer)).not.toBe(false);
  });

  // A near language, or a far one that shares these words, fits as well.
  test.each([
    ["sv", "Ja, det går bra."],
    ["cs", "Ne, to nejde."],
    ["cs", "Je to na vás."],
    ["tl", "Bukas na sa Lunes."],
    ["tl", "Salamat po sa inyo."],
    ["en", "For a local deployment it is a file."],
  ])("is %s where other languages share its few words: %s", async (value, answer) => {
    expect((await passes({ type: "language-of-answer", value }))(answer)).toBe(true);
  });

  test.each([
    ["hu", "For a local deployment it is a file."],
    ["pt", "It is a formula as its stored result."],
    ["it", "It is a list in a cell, or in any other field."],
  ])("is not %s where English shares its few words: %s", async (value, answer) => {
    expect((await passes({ type: "language-of-answer", value }))(answer)).not.toBe(true);
  });

  test.each(["sv", "da", "nb"])("is not told from %s by the letter å alone", async (value) => {
    expect((await passes({ type: "language-of-answer", value }))("Åse Strand, Ålgård")).not.toBe(false);
  });
});
