/** The path of the daemon's web pages, which is appended to the origin. */
const PAGES_PATH = "/svc";

/**
 * The address at which a browser opens an issue, or `undefined` if the origin is not plain: http or https, without
 * credentials, path, query and fragment (docs/contract/http-api.md#314-browser-pages).
 */
export function launchUrl(origin: string | undefined, issueUid: string): string | undefined {
  if (origin === undefined || !isPlainOrigin(origin)) return undefined;
  return `${origin}${PAGES_PATH}?issue=${issueUid}#direct=1`;
}

/** True if the text is exactly an http or https origin in its normal form. */
function isPlainOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && origin === text;
}
