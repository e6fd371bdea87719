import { momentLabel, runMoment, runName } from "../../../report/say/night-names.ts";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../report/say/quantity.ts";
import { durationShown } from "./format.ts";
import { batchAddress } from "../data/batch-address.ts";
import type { Actions } from "../data/source.ts";
import { useReport } from "./report.tsx";
import { TargetMark } from "./target-mark.tsx";
import { applyTheme, storedTheme, type Theme } from "./theme.ts";
import { TargetName } from "./target-name.tsx";

/** The name of the batch, and the controls of the whole page. */
export function Masthead({ onHelp, children }: { onHelp: () => void; children: ComponentChildren }) {
  const { summary, source } = useReport();
  const { actions } = source;
  const { suite, batch, startedAt, durationMs, cases } = summary;
  return (
    <header class="masthead">
      <div>
        {actions === null ? (
          <p class="suite">
            <bdi>{suite}</bdi>
          </p>
        ) : (
          <Crumbs beside={actions.beside} />
        )}
        <p class="facts">
          {actions === null && <span title={batch}>{momentLabel(Date.parse(startedAt))}</span>}
          {durationMs !== null && <span>took {durationShown(durationMs)}</span>}
          <span>{counted(cases, "row")}</span>
          <Contest />
        </p>
      </div>
      <div class="tools">
        {actions !== null && <Pin actions={actions} />}
        {children}
        <ThemeSwitch />
        <button type="button" class="plain" onClick={onHelp} aria-haspopup="dialog">
          Keys <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}

/** The same where no report is open: at home, or `here`. */
export function PlainMasthead({ here = null }: { here?: string | null }) {
  return (
    <header class="masthead">
      {here === null ? (
        <p class="suite">tandem</p>
      ) : (
        <nav class="crumbs" aria-label="Where this is">
          <a href="#">Home</a> <span aria-hidden="true">›</span>{" "}
          <span class="suite" aria-current="page">
            <bdi>{here}</bdi>
          </span>
        </nav>
      )}
      <div class="tools">
        <ThemeSwitch />
      </div>
    </header>
  );
}

/** `Home > billing > 23 Nov 18:57`, with the runs of the suite before and after it. */
function Crumbs({ beside }: Pick<Actions, "beside">) {
  const { suite, batch, startedAt } = useReport().summary;
  const { before = null, after = null } = beside ?? {};
  return (
    <nav class="crumbs" aria-label="Where this is">
      <a href="#">Home</a> <span aria-hidden="true">›</span>{" "}
      <a class="suite" href={`#${new URLSearchParams({ suite }).toString()}`}>
        <bdi>{suite}</bdi>
      </a>{" "}
      <span aria-hidden="true">›</span>{" "}
      <span class="crumb-moves">
        {before !== null && (
          <a href={batchAddress(before.batch)} title={`Previous: ${runName(before.at, Date.now())}`}>
            <span aria-hidden="true">‹</span>
            <span class="unseen">Previous: {runName(before.at, Date.now())}</span>
          </a>
        )}{" "}
        <span title={batch} aria-current="page">
          {runMoment(Date.parse(startedAt), Date.now())}
        </span>{" "}
        {after !== null && (
          <a href={batchAddress(after.batch)} title={`Next: ${runName(after.at, Date.now())}`}>
            <span aria-hidden="true">›</span>
            <span class="unseen">Next: {runName(after.at, Date.now())}</span>
          </a>
        )}
        {beside?.before === null && <span class="quiet"> the first run of this suite</span>}
      </span>
    </nav>
  );
}

/** The targets that are compared; several candidates with one baseline in one phrase. */
function Contest() {
  const {
    lookOf,
    summary: { pairs },
  } = useReport();
  const [first] = pairs;
  if (first === undefined) return null;
  const isOneBaseline = pairs.every(({ baseline }) => baseline === first.baseline);
  if (pairs.length > 2 && isOneBaseline) {
    return (
      <span>
        {pairs.length} candidates against <TargetMark look={lookOf(first.baseline)} />
        <TargetName name={first.baseline} />
      </span>
    );
  }
  return pairs.map(({ baseline, candidate }) => (
    <span key={candidate}>
      <TargetMark look={lookOf(candidate)} />
      <TargetName name={candidate} /> against <TargetMark look={lookOf(baseline)} />
      <TargetName name={baseline} />
    </span>
  ));
}

/** Gives the batch a name by which later runs are compared with it. */
function Pin({ actions }: { actions: Actions }) {
  const [name, setName] = useState("");
  const [said, say] = useState("");
  /** A name that something else has. */
  const [taken, setTaken] = useState<string | null>(null);
  const pin = async (wanted: string, replace: boolean): Promise<void> => {
    if (wanted === "") return;
    setTaken(null);
    try {
      const kept = await actions.pin(wanted, replace);
      if (kept.taken !== null) setTaken(wanted);
      say(
        kept.taken === null
          ? `Pinned: tandem run --against ${wanted}`
          : `There is already a pin "${wanted}": it names ${kept.taken.join(", ")}.`,
      );
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      class="pin"
      onSubmit={(event) => {
        event.preventDefault();
        void pin(name.trim(), false);
      }}
    >
      <span role="status" class="quiet">
        {said}
      </span>
      {taken !== null && (
        <button type="button" class="link" onClick={() => void pin(taken, true)}>
          Pin this one instead
        </button>
      )}
      <label>
        <span class="unseen">Pin this batch as</span>
        <input placeholder="Pin as ..." value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
    </form>
  );
}

const themes: Theme[] = ["auto", "light", "dark"];

function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <label class="theme">
      <span class="quiet">Colours</span>
      <select
        value={theme}
        onChange={(event) => {
          const chosen = themes.find((each) => each === event.currentTarget.value) ?? "auto";
          setTheme(chosen);
          applyTheme(chosen);
          dispatchEvent(new Event("tandem:theme"));
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {each === "auto" ? "as the system" : each}
          </option>
        ))}
      </select>
    </label>
  );
}
