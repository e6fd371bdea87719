import { parentPort, workerData } from "node:worker_threads";
import { packFailure } from "../../lib/thread-failure.ts";
import { openDatabase } from "../../store/database.ts";
import { storeFailure } from "../../store/store-failure.ts";
import { pairedPages, pairedReader } from "../../store/compared/paired-results.ts";
import { longCharacters, type PackedPage, packPage } from "./packed-page.ts";
import type { ReadingWord, ReadingWork } from "./read-results.ts";

/** Pages, and characters of answers in them, that may wait to be taken; one page may always. */
const mostPages = 32;
const mostCharacters = 4_000_000;

/** Reads its share of the pages in order and hands them over, in a thread of its own; see `readResults`. */
function readPages(
  { database, batches, options, threads, place, taken }: ReadingWork,
  post: (page: PackedPage) => void,
) {
  // Jobs lie in the order of sending: a page is seldom asked for again, and a large cache only wears that of the processor.
  using db = openDatabase(database, { reading: true, cacheKiB: 4096 });
  const read = pairedReader(db, batches, options);
  const waitForRoom = headroom(taken);
  let index = 0;
  for (const page of pairedPages(db, batches)) {
    if (index++ % threads !== place) continue;
    const packed = packPage(read(page));
    waitForRoom(longCharacters(packed));
    post(packed);
  }
}

/** Blocks until a page of some characters may be added to those that were not taken yet. */
function headroom(taken: Int32Array): (characters: number) => void {
  const waiting: number[] = [];
  let posted = 0;
  return (characters) => {
    for (;;) {
      const seen = Atomics.load(taken, 0);
      waiting.splice(0, waiting.length - (posted - seen));
      const held = waiting.reduce((sum, each) => sum + each, characters);
      if (waiting.length === 0 || (waiting.length < mostPages && held <= mostCharacters)) break;
      Atomics.wait(taken, 0, seen);
    }
    waiting.push(characters);
    posted += 1;
  };
}

// The work comes from `readResults` beside it.
const given: ReadingWork = workerData;
const bell = parentPort;
if (bell !== null) {
  const post = (word: ReadingWord): void => {
    given.port.postMessage(word, []);
    if (Atomics.load(given.wanted, 0) === 1) bell.postMessage(null, []);
  };
  try {
    readPages(given, post);
  } catch (error) {
    post({ failure: packFailure(storeFailure(given.database, error)) });
  }
}
