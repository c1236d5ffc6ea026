/** An answer with an ETag. `body` is missing if the client already has the current answer; the client then gets 304. */
export class Tagged<T> {
  readonly tag: string;
  readonly body: T | undefined;

  constructor(tag: string, body?: T) {
    this.tag = tag;
    this.body = body;
  }
}
