/**
 * Returns the address of a relation in a `Link` header, such as that of the next page: `<https://…>; rel="next"`.
 * `undefined` if there is none. Commas and semicolons in an address do not end it (RFC 8288, 3).
 */
export function linkTo(relation: "next" | "last", header: string | undefined): string | undefined {
  for (const [, address = "", parameters = ""] of (header ?? "").matchAll(LINK)) {
    const [, quoted, bare] = REL.exec(parameters) ?? [];
    if ((quoted ?? bare ?? "").toLowerCase().split(" ").includes(relation)) return address;
  }
  return undefined;
}

const LINK = /<([^>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]+))/i;

/** The page number in the address of a page. */
export function pageOf(address: string | undefined): number | undefined {
  const [, page] = /[?&]page=(\d{1,9})(?:&|$)/.exec(address ?? "") ?? [];
  return page === undefined ? undefined : Number(page);
}
