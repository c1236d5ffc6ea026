/**
 * Limits what the browser may load for the page: only its own files, and nothing inline. No other page may frame it,
 * and its forms cannot be submitted.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The headers of every answer below the page's path, also of refusals. */
export const GUARD_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * The header that makes browsers use only https for the host from then on. It applies to all ports of the host, so it
 * is sent only if `[web] public_origin` has the default port of https.
 */
export const HSTS_HEADERS: Readonly<Record<string, string>> = {
  "strict-transport-security": "max-age=31536000",
};

/**
 * The header Cache-Control of the page. The page names the assets of one build, so a browser must ask each time whether
 * the page has changed.
 */
export const ALWAYS_ASK = "no-cache";
/**
 * The header Cache-Control of an asset. The name of an asset contains a hash of its content, so the content never
 * changes.
 */
export const KEEP_FOREVER = "public, max-age=31536000, immutable";
