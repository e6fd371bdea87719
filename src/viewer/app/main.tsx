import { render } from "preact";
import { App } from "./shell/app.tsx";
import { Viewer } from "./shell/viewer.tsx";
import { openFileSource } from "./data/file-source.ts";
import { showHidden } from "./parts/shown-text.ts";
import { applyTheme, storedTheme } from "./parts/theme.ts";
import "./styles.css";
import "./parts/parts.css";
import "./parts/target-colour.css";
import "./charts/choice.css";
import "./row/row.css";
import "./rows/rows.css";
import "./result/result.css";
import "./batches/home.css";

showHidden();
applyTheme(storedTheme());
void open();

async function open(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) return;
  try {
    const data = document.getElementById("data")?.textContent?.trim() ?? "";
    // Served by the viewer, the place for the data is as it was built.
    const page = data.startsWith("<!--") ? <Viewer /> : <App source={await openFileSource(data)} />;
    document.getElementById("scriptless")?.remove();
    root.replaceChildren();
    render(page, root);
  } catch (error) {
    root.replaceChildren();
    render(<Unreadable reason={error instanceof Error ? error.message : String(error)} />, root);
  }
}

function Unreadable({ reason }: { reason: string }) {
  return (
    <main class="opening">
      <h1>This report cannot be shown</h1>
      <p>{reason}</p>
      <p>Make it again with tandem report, or open it in a newer browser.</p>
    </main>
  );
}
