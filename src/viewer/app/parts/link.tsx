/** A link, if the text of a bot plainly is one: anything but http and https stays text. */
export function Link({ url, text }: { url: string; text: string }) {
  if (!isWebAddress(url)) {
    return (
      <span class="no-link" dir="auto">
        {text === url ? url : `${text} (${url})`}
      </span>
    );
  }
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow" title={url} dir="auto">
      {text}
    </a>
  );
}

export function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === "https:" || protocol === "http:";
}
