import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3Event } from "h3";

type ServerRequest = ConstructorParameters<typeof H3Event>[0];

/**
 * A request of node:http in the form that h3 accepts. The Fetch request is made only when something other than method
 * and URL is read: loading Node's Fetch classes, as h3's own adapter does, takes a quarter of the daemon's start.
 */
export class NodeRequest implements ServerRequest {
  readonly runtime: NonNullable<ServerRequest["runtime"]>;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #request: Request | undefined;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req;
    this.#res = res;
    this.runtime = { name: "node", node: { req, res } };
  }

  get method(): string {
    return this.#req.method ?? "GET";
  }

  /** The target of a request may be a path or a whole URL (RFC 9112 3.2.2). */
  get url(): string {
    const target = this.#req.url ?? "/";
    return target.startsWith("/") ? `http://localhost${target}` : target;
  }

  get _request(): Request {
    this.#request ??= this.#makeRequest();
    return this.#request;
  }

  #makeRequest(): Request {
    const headers = new Headers();
    for (const [name, values] of Object.entries(this.#req.headersDistinct))
      for (const value of values ?? []) headers.append(name, value);
    const gone = new AbortController();
    this.#res.once("close", () => {
      if (!this.#res.writableFinished) gone.abort();
    });
    const { method, url } = this;
    const init = { method, headers, signal: gone.signal };
    if (method === "GET" || method === "HEAD") return new Request(url, init);
    return new Request(url, { ...init, body: this.#req, duplex: "half" });
  }

  get headers(): Request["headers"] {
    return this._request.headers;
  }
  get signal(): AbortSignal {
    return this._request.signal;
  }
  get body(): Request["body"] {
    return this._request.body;
  }
  get bodyUsed(): boolean {
    return this._request.bodyUsed;
  }
  get cache(): Request["cache"] {
    return this._request.cache;
  }
  get credentials(): Request["credentials"] {
    return this._request.credentials;
  }
  get destination(): Request["destination"] {
    return this._request.destination;
  }
  get duplex(): Request["duplex"] {
    return this._request.duplex;
  }
  get integrity(): string {
    return this._request.integrity;
  }
  get keepalive(): boolean {
    return this._request.keepalive;
  }
  get mode(): Request["mode"] {
    return this._request.mode;
  }
  get redirect(): Request["redirect"] {
    return this._request.redirect;
  }
  get referrer(): string {
    return this._request.referrer;
  }
  get referrerPolicy(): Request["referrerPolicy"] {
    return this._request.referrerPolicy;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return await this._request.arrayBuffer();
  }
  async blob(): ReturnType<Request["blob"]> {
    return await this._request.blob();
  }
  async bytes(): ReturnType<Request["bytes"]> {
    return await this._request.bytes();
  }
  clone(): Request {
    return this._request.clone();
  }
  async formData(): ReturnType<Request["formData"]> {
    return await this._request.formData();
  }
  async json(): Promise<unknown> {
    return await this._request.json();
  }
  async text(): Promise<string> {
    return await this._request.text();
  }
}
