/** One entity tag of a list, and the comma behind it (RFC 9110 8.8.3, 13.1.2). */
const ITEM = /[\s,]*(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")\s*(?:,|$)/y;

/**
 * Whether an `If-None-Match` header names the tag, which includes its quotes. `*` names every tag, a weak tag names
 * none, and a list that is malformed names what stands before the fault.
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
