import { useAuthor } from "./author.ts";

/** The name of the one who judges. Enter leaves the field, so that the keys that follow judge; a form is sent as ever. */
export function AuthorField() {
  const [author, setAuthor] = useAuthor();
  return (
    <label>
      <span>By</span>
      <input
        class="short"
        dir="auto"
        value={author}
        onInput={(event) => setAuthor(event.currentTarget.value)}
        onKeyDown={(event) => {
          // The Enter that ends a word of an input method ends no name.
          if (event.isComposing || event.key !== "Enter") return;
          event.preventDefault();
          event.currentTarget.blur();
          event.currentTarget.form?.requestSubmit();
        }}
      />
    </label>
  );
}
