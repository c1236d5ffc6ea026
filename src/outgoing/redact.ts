export type Redact = (text: string) => string;

/** Of a text from a far side at most this much is logged or shown. */
const MOST_BYTES = 8192;

const REDACTED = "[redacted]";

/**
 * What looks like a secret, and what takes its place (facts issue-sync 8). Each pattern reads a text once, since the far
 * side decides what is in it.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]*-----[\s\S]*?(?:-----END [A-Z0-9 ]*-----|$)/g, REDACTED],
  [/\b(?:github_pat_|gh[pousr]_)\w+/g, REDACTED],
  [/\b(authorization["']?\s*[:=])[^\r\n]*/gi, `$1 ${REDACTED}`],
  [/\b(bearer|token)(["']?[\s:=]+["']?)[^\s"',;]+/gi, `$1$2${REDACTED}`],
  [/\/\/[^\s/@]+@/g, `//${REDACTED}@`],
  [
    /([?&](?:access_token|api_?key|client_secret|key|password|secret|sig|signature)=)[^&\s#"']+/gi,
    `$1${REDACTED}`,
  ],
];

/**
 * Returns the function through which every text passes that leaves the daemon: it removes these secrets, and what looks
 * like one, and cuts the text.
 */
export function redactor(secrets: readonly string[]): Redact {
  const known = secrets.filter((secret) => secret !== "").flatMap(spellings);
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return cut(PATTERNS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), without));
  };
}

/** A secret as it is, in JSON and in a URL. */
function spellings(secret: string): readonly string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return text;
  // With `stream`, a character that was cut in two is left out.
  return `${new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: true })} …`;
}
