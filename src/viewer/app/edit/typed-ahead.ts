/** Keys that say something about a row, or lead on from it, so that they may be meant for the row that is on its way. */
const ofRow: ReadonlySet<string> = new Set(["g", "b", "s", "u", "n", "l"]);

/** Keys that lead to a neighbour: at once, unless one before them waits. */
const steps: ReadonlySet<string> = new Set(["j", "k"]);

const most = 100;

type Pressed = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

let waiting: Pressed[] = [];
let holds = 0;
let isPressedAgain = false;

/** The end of a wait: what was typed ahead is pressed now, or forgotten. */
export interface Held {
  release: () => void;
  forget: () => void;
}

/**
 * Keeps the keys that are pressed while a row is on its way, until it is there: people are faster than a busy machine.
 * They are pressed again in their order, each on the row that it leads to.
 */
export function holdKeys(): Held {
  holds += 1;
  // Before all others; again it changes nothing.
  addEventListener("keydown", keep, true);
  let isOver = false;
  const release = (): void => {
    if (isOver) return;
    isOver = true;
    holds -= 1;
    // A row that opens now holds them again before this.
    setTimeout(pressNext);
  };
  return {
    release,
    forget() {
      if (!isOver) waiting = [];
      release();
    },
  };
}

function keep(event: KeyboardEvent): void {
  const { key, code, shiftKey, ctrlKey, metaKey, altKey, target } = event;
  if (isPressedAgain || (holds === 0 && waiting.length === 0) || ctrlKey || metaKey || altKey) return;
  if (target instanceof HTMLElement && isField(target)) return;
  if (key === "Escape") waiting = [];
  if (!ofRow.has(key) && (!steps.has(key) || waiting.length === 0)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // Behind the key of the note comes its text, of which no letter is a word on the row.
  const isText = waiting.some((before) => before.key === "n");
  if (!isText && !event.repeat && waiting.length < most) waiting.push({ key, code, shiftKey });
}

/** Presses one key, and after it the next, if that has not led to a row that is on its way. */
function pressNext(): void {
  if (holds > 0) return;
  const next = waiting.shift();
  if (next === undefined) return;
  isPressedAgain = true;
  dispatchEvent(new KeyboardEvent("keydown", { ...next, cancelable: true }));
  isPressedAgain = false;
  setTimeout(pressNext);
}

/** True in a field, whose keys are text. */
export function isField(target: HTMLElement): boolean {
  return target.closest("input:not([type=checkbox]), select, textarea, dialog") !== null;
}
