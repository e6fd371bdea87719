import { useEffect, useRef } from "preact/hooks";

const keys: [string, string][] = [
  ["j k", "next and previous row"],
  ["Enter", "open the row"],
  ["Esc", "close the row"],
  ["g b", "the answer is good, bad (in tandem view); s: of the other target"],
  ["1 2 0", "while Blind is on: A is better, B is better, no difference"],
  ["n u", "a note, undo"],
  ["l", "the next row that nobody labelled"],
  ["/", "search"],
  ["← →", "between rows, charts and facts, when one of them has the focus"],
  ["?", "this list"],
];

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
