import { invalid } from "../contract/errors.ts";

export function etag(revision: number | string): string {
  return `"rev-${revision}"`;
}

export function ifMatch(revision: number | undefined): { readonly "if-match"?: string } {
  return revision === undefined ? {} : { "if-match": etag(revision) };
}

/** The If-Match header of a typed revision: `3` or `rev-3`. */
export function ifMatchTyped(text: string | undefined): { readonly "if-match"?: string } {
  if (text === undefined) return {};
  const number = /^(?:rev-)?([1-9][0-9]*)$/.exec(text)?.[1];
  if (number !== undefined) return { "if-match": etag(number) };
  throw invalid(`--if-match is a revision such as 3 or rev-3, not ${JSON.stringify(text)}`);
}
