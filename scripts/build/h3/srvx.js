// Replaces the parts of srvx that h3 uses, with Node's own classes. This file refers to the classes of Fetch only when
// they are used, but srvx refers to them when it is loaded.
export const FastURL = URL;

export class FastResponse {
  constructor(body, init) {
    // biome-ignore lint/correctness/noConstructorReturn: it is a Response
    return new Response(body, init);
  }
}
