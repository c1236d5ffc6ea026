// The parts of srvx that h3 uses, made of Node's own classes. They are named only when they are used, while srvx names
// them when it is loaded.
export const FastURL = URL;

export class FastResponse {
  constructor(body, init) {
    // biome-ignore lint/correctness/noConstructorReturn: it is a Response
    return new Response(body, init);
  }
}
