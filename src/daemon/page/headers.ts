/**
 * What the browser may load for the page: its own files, and nothing inline. Nobody may frame it, and no form leaves it.
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

/** Headers of every answer below the page's path, refusals too. */
export const GUARD_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The page refers to the assets of one build, so a browser asks each time whether it has changed. */
export const ALWAYS_ASK = "no-cache";
/** The name of an asset has a hash of its content. */
export const KEEP_FOREVER = "public, max-age=31536000, immutable";
