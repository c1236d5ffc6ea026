import type { Socket } from "node:net";

interface Listeners {
  readonly data: (piece: Buffer) => void;
  readonly end: () => void;
  readonly timeout: () => void;
  readonly error: (error: Error) => void;
  readonly close: () => void;
}

/**
 * Adds the listeners to the socket. The returned function removes only these listeners, because Node's own listeners on
 * the socket must stay.
 */
export function listen(
  socket: Socket,
  { data, end, timeout, error, close }: Listeners,
): () => void {
  socket
    .on("data", data)
    .on("end", end)
    .on("timeout", timeout)
    .on("error", error)
    .on("close", close);
  return () => {
    socket.off("data", data).off("end", end).off("timeout", timeout);
    socket.off("error", error).off("close", close);
  };
}
