import { beginSearch } from "./search.ts";

/** Adds to a page that can be read without it: colours by choice, copies of code, the search. */
offerColours();
offerCopies();
letKeysScroll();
showPlace();
beginSearch();

function offerColours(): void {
  const choice = document.querySelector<HTMLSelectElement>("#colours");
  if (choice === null) return;
  choice.value = document.documentElement.dataset["theme"] ?? "";
  choice.addEventListener("change", () => {
    document.documentElement.dataset["theme"] = choice.value;
    try {
      localStorage.setItem("tandem-theme", choice.value);
    } catch {
      // A browser that keeps nothing shows the choice on this page.
    }
  });
}

function offerCopies(): void {
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      const text = block.querySelector("code")?.textContent ?? "";
      navigator.clipboard.writeText(text.trimEnd()).then(
        () => say(button, "Copied"),
        () => say(button, "Not copied"),
      );
    });
    block.append(button);
  }
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1_500);
}

/** Scrolls the list of pages to the one that is open, and nothing else. */
function showPlace(): void {
  const pages = document.querySelector("#pages");
  const current = pages?.querySelector("[aria-current]");
  if (!pages || !(current instanceof HTMLElement)) return;
  const below = current.getBoundingClientRect().bottom - pages.getBoundingClientRect().bottom;
  if (below > 0) pages.scrollTop = below + pages.clientHeight / 2;
}

/** Lets keys reach what is wider than the page, and nothing that is not. */
function letKeysScroll(): void {
  const watcher = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) {
        target.setAttribute("tabindex", "0");
        target.setAttribute("role", "region");
        target.setAttribute("aria-label", target.tagName === "PRE" ? "Code" : "Table");
      } else for (const name of ["tabindex", "role", "aria-label"]) target.removeAttribute(name);
    }
  });
  for (const wide of document.querySelectorAll(".wide, .code pre")) watcher.observe(wide);
}
