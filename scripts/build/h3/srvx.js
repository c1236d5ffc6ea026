// What h3 takes of srvx, by Node's own classes, which are named only when they are used: srvx names them when it is loaded.
export const FastURL = URL;

export class FastResponse {
  constructor(body, init) {
    // biome-ignore lint/correctness/noConstructorReturn: it is a Response
    return new Response(body, init);
  }
}
