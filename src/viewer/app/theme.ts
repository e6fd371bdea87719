export type Theme = "light" | "dark" | "auto";

const place = "tandem-theme";

/** What was chosen last; `auto` follows the system. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(place);
    return stored === "light" || stored === "dark" ? stored : "auto";
  } catch {
    // A file may have no storage.
    return "auto";
  }
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset["theme"];
  else dataset["theme"] = theme;
  try {
    localStorage.setItem(place, theme);
  } catch {
    // It is kept for this visit only.
  }
}
