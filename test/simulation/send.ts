import { request } from "node:http";

/**
 * Longer than any answer takes: 10 s until the daemon gives up a silent database, and 10 s to look for its last commit.
 */
const MAX_ANSWER_MS = 60_000;

export interface Sent {
  readonly method: string;
  /** The path below `/api/v1`. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Received {
  readonly status: number;
  readonly text: string;
}

/** Sends a request over a socket. Returns `undefined` if no whole answer arrived; the outcome is then unknown. */
export async function send(
  socketPath: string,
  { method, path, body, headers }: Sent,
): Promise<Received | undefined> {
  const sent = request({
    agent: false,
    socketPath,
    method,
    path: `/api/v1${path}`,
    headers: { "content-type": "application/json", ...headers },
    timeout: MAX_ANSWER_MS,
  });
  return await new Promise((resolve) => {
    const nothing = (): void => resolve(undefined);
    sent.on("error", nothing);
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("error", nothing);
      response.on("end", () => {
        if (response.complete) resolve({ status: response.statusCode ?? 0, text });
        else nothing();
      });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
