/**
 * Takes the one-time code out of the page's address, so that it is in no history, no bookmark and no copied link.
 * Returns the code, or `undefined` if the address has none.
 */
export function takeCode({ location, history }: Pick<Window, "location" | "history">) {
  const parts = location.hash.replace(/^#/, "").split("&");
  const code = parts.find((part) => part.startsWith(CODE))?.slice(CODE.length);
  if (code === undefined) return undefined;
  const rest = parts.filter((part) => !part.startsWith(CODE)).join("&");
  const hash = rest === "" ? "" : `#${rest}`;
  history.replaceState(history.state, "", location.pathname + location.search + hash);
  return decoded(code);
}

const CODE = "code=";

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
