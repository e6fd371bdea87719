export type Theme = "light" | "dark" | "auto";

const place = "tandem-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** A file may have no storage: then what was chosen is kept for this visit. */
let chosen: Theme = "auto";

/** The theme that was chosen last; `auto` follows the system. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(place);
    if (stored === "light" || stored === "dark") chosen = stored;
  } catch {
    // The choice of this visit counts.
  }
  return chosen;
}

/** Puts the page into a theme, and keeps it there when the system changes its own. */
export function applyTheme(theme: Theme): void {
  chosen = theme;
  show();
  try {
    localStorage.setItem(place, theme);
  } catch {
    // It is kept for this visit only.
  }
}

dark.addEventListener("change", show);

function show(): void {
  const system = dark.matches ? "dark" : "light";
  document.documentElement.dataset["theme"] = chosen === "auto" ? system : chosen;
}
