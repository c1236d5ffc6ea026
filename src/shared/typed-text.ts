/** Help for a person who writes an issue as one text. */
export const TITLE_FIRST = "The first line is the title, what follows it the text.";

export function titleAndBody(text: string): { readonly title: string; readonly body: string } {
  const [title = "", ...rest] = text.replace(/^(?:[ \t]*\n)+/, "").split(/\r?\n/);
  const body = rest.join("\n").replace(/^(?:[ \t]*\n)+/, "");
  return { title: title.trim(), body: body.trimEnd() };
}
