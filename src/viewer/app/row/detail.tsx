import { SaveIcon } from "../parts/icons.tsx";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ReportRow } from "../../../report/shape/model.ts";
import { ChangeMark } from "../parts/change-mark.tsx";
import { questionOfRow } from "../../../report/model/row-figures.ts";
import { keyWords, rowWords } from "../../../report/say/names.ts";
import { holdKeys } from "../edit/typed-ahead.ts";
import { RowBody } from "./row-body.tsx";
import type { ListQuery } from "../data/source.ts";
import { useReport } from "../parts/report.tsx";

interface Props {
  rowKey: string;
  query: ListQuery;
  /** Answers are judged without names, in this row and the next. */
  isBlind: boolean;
  setBlind: (isBlind: boolean) => void;
  /** Rows that are read so far: the wanted one may come yet. */
  ready: number;
  onClose: () => void;
  onStep: (by: 1 | -1) => void;
  /** Gives the focus to the line of a row in the list. False: it has none there. */
  standAt: (row: string) => boolean;
}

/** One row in full, beside the list. */
export function Detail(props: Props) {
  const { rowKey, query, isBlind, setBlind, ready, onClose, onStep } = props;
  const { source, candidate } = useReport();
  const [row, setRow] = useState<ReportRow | null>(null);
  const [isRead, setRead] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    let wanted = true;
    const settle = (found: ReportRow | null): void => {
      if (!wanted) return;
      setRow(found);
      setRead(true);
    };
    if (row === null) void source.row(rowKey).then(settle, () => settle(null));
    return () => {
      wanted = false;
    };
  }, [source, rowKey, ready, row]);
  useTypedAhead(source.actions !== null && !isRead);
  useFocus(title, { row: rowKey, standAt: props.standAt });
  return (
    <aside class={isBlind ? "detail blind" : "detail"} aria-labelledby="row-title">
      <header>
        <h2 id="row-title" tabIndex={-1} ref={title}>
          <RowTitle row={row} rowKey={rowKey} />
        </h2>
        {isBlind && <strong class="blind-sign">Blind is on</strong>}
        {row?.changes[candidate] !== undefined && !isBlind && (
          <ChangeMark {...row.changes[candidate]} counts={source.summary.verdict.state !== "invalid"} />
        )}
        <div class="tools">
          <button
            type="button"
            class="plain"
            onClick={() => onStep(-1)}
            aria-label="Previous row"
            title="Previous row (k)"
          >
            ↑
          </button>
          <button type="button" class="plain" onClick={() => onStep(1)} aria-label="Next row" title="Next row (j)">
            ↓
          </button>
          <CopyLink />
          {source.actions !== null && (
            <a
              class="plain"
              href={source.actions.pageAddress(query, rowKey)}
              download
              aria-label="Save this row as HTML"
              title="Save this row as one HTML file"
            >
              <SaveIcon />
            </a>
          )}
          <button type="button" class="plain" onClick={onClose} aria-label="Close" title="Close (Esc)">
            ✕
          </button>
        </div>
      </header>
      {row === null ? (
        <p class="nothing" role="status">
          {!isRead || ready < source.total ? "Reading ..." : "There is no row with this key in the report."}
        </p>
      ) : (
        <RowBody {...{ row, query, isBlind, setBlind }} />
      )}
    </aside>
  );
}

/** The number of a row in its sheet; of a case that is of no file its key, or where we made that, the question. */
function RowTitle({ row, rowKey }: { row: ReportRow | null; rowKey: string }) {
  if (row !== null && row.row !== null) return <bdi>{rowWords(row)}</bdi>;
  const question = row === null ? "Row" : questionOfRow(row);
  const key = keyWords({ key: rowKey, row: null, question });
  return key === "" ? <bdi>{question}</bdi> : <bdi class="key">{key}</bdi>;
}

/** Keeps the keys that are meant for the row while it is read. */
function useTypedAhead(isReading: boolean): void {
  useLayoutEffect(() => (isReading ? holdKeys().release : undefined), [isReading]);
}

/** The element that had the focus when a row opened, and that row; it is kept while one row follows another. */
let opener: { element: HTMLElement; row: string } | null = null;

/** The focus goes to the row that opens, and when it closes to its line in the list, or back to where it was. */
function useFocus(
  title: { current: HTMLElement | null },
  { row, standAt }: { row: string; standAt: (row: string) => boolean },
): void {
  // Before the browser paints: what is covered loses the focus then.
  useLayoutEffect(() => {
    const before = document.activeElement;
    if (before instanceof HTMLElement && before !== document.body) opener = { element: before, row };
    title.current?.focus({ preventScroll: true });
    return () => {
      // Elements that the row covered can have the focus only after they are drawn.
      queueMicrotask(() => {
        if (document.querySelector(".detail") !== null) return;
        const back = opener?.element.isConnected === true ? opener : null;
        opener = null;
        // Who went on to other rows is where the last one stands.
        if (back?.row !== row && standAt(row)) return;
        back?.element.scrollIntoView({ block: "nearest" });
        back?.element.focus({ preventScroll: true });
      });
    };
  }, [title]);
}

function CopyLink() {
  const [said, say] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      say("Copied");
    } catch {
      // Without permission the address bar still holds it.
      say("Copy it from the address bar");
    }
    setTimeout(() => say(""), 2500);
  };
  return (
    <button type="button" class="plain" onClick={() => void copy()} title="Copy a link to this row">
      <span aria-live="polite">{said === "" ? "Copy link" : said}</span>
    </button>
  );
}
