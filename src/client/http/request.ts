export interface HttpRequest {
  readonly method: string;
  /** Path and query. A whole URL is not allowed, because it would name another server. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The bytes of an HTTP/1.1 request. Refuses characters that would end a header line early. */
export function encodeRequest({ method, target, headers, body }: HttpRequest): Buffer {
  if (!target.startsWith("/")) throw new TypeError("a request target must start with a slash");
  const lines = [`${method} ${requireLine(target, /[^\x21-\x7e]/)} HTTP/1.1`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`${name}: ${requireLine(value, /[^\t\x20-\x7e\x80-\xff]/)}`);
  }
  if (body === undefined) {
    if (method !== "GET" && method !== "DELETE") lines.push("Content-Length: 0");
    return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  }
  const bytes = Buffer.from(body, "utf8");
  lines.push("Content-Type: application/json", `Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}

function requireLine(text: string, forbidden: RegExp): string {
  if (forbidden.test(text))
    throw new TypeError("a request line or header holds a character that it may not");
  return text;
}
