export type Redact = (text: string) => string;

/** The maximum number of bytes of a far side's text that are logged or shown. */
const MOST_BYTES = 8192;

const REDACTED = "[redacted]";

/**
 * Patterns of texts that look like a secret, and their replacements (docs/contract/issue-sync.md#8-credentials). Each
 * pattern takes linear time, because the far side decides what the text contains.
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
 * Returns a function that removes these secrets, and everything that looks like a secret, from a text, and cuts the
 * text. Every text of a far side goes through it before it leaves the daemon.
 */
export function redactor(secrets: readonly string[]): Redact {
  const known = secrets.filter((secret) => secret !== "").flatMap(spellingsOf);
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
    return beginningOf(
      PATTERNS.reduce((rest, [pattern, by]) => rest.replace(pattern, by), without),
    );
  };
}

/** The forms in which a secret may occur: unchanged, in JSON, and in a URL. */
function spellingsOf(secret: string): readonly string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
}

function beginningOf(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return text;
  // With `stream`, an incomplete character at the end is dropped.
  return `${new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: true })} …`;
}
