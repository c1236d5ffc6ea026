/** Matches one entity tag of a list and the comma after it (RFC 9110 8.8.3, 13.1.2). */
const ITEM = /[\s,]*(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")\s*(?:,|$)/y;

/**
 * Whether an `If-None-Match` header contains the tag, whose quotes are part of `tag`. `*` matches every tag, and a weak
 * tag matches none. In a malformed list only the tags before the fault count.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const item = new RegExp(ITEM);
  for (let found = item.exec(header); found !== null; found = item.exec(header)) {
    const [, weak, name] = found;
    if (weak === undefined && name === tag) return true;
  }
  return false;
}
