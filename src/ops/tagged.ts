/** An answer with an ETag. Without a body the client has the current answer already, and gets 304. */
export class Tagged<T> {
  readonly tag: string;
  readonly body: T | undefined;

  constructor(tag: string, body?: T) {
    this.tag = tag;
    this.body = body;
  }
}
