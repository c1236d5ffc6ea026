import type { Socket } from "node:net";
import type { Clock } from "../../base/clock.ts";
import { type ResponseHead, ResponseReader } from "./response.ts";
import { listen } from "./socket-listeners.ts";
import { type FaultKind, TransportFault } from "./transport-fault.ts";

export interface Progress {
  sent: boolean;
}

/**
 * The time limits in ms: `headMs` from the request to the head of the answer, `silenceMs` from one piece of the body to
 * the next, `bodyMs` for the whole body.
 */
export interface Limits {
  readonly headMs: number;
  readonly silenceMs: number;
  readonly bodyMs: number;
}

export interface Sink {
  onHead(head: ResponseHead): void;
  onBody(piece: Buffer): void;
}

interface Reading {
  readonly method: string;
  readonly limits: Limits;
  readonly sink: Sink;
  readonly progress: Readonly<Progress>;
  readonly clock: Clock;
}

/**
 * Reads one response from the socket, then removes its own listeners. Resolves to true if the connection can be used
 * again. Rejects with a `TransportFault` if no whole response comes.
 */
export async function readResponse(
  socket: Socket,
  { method, limits: { headMs, silenceMs, bodyMs }, sink, progress, clock }: Reading,
): Promise<boolean> {
  let deadline = clock.nowMs() + headMs;
  let silence = headMs;
  let leave: () => void = ignore;
  try {
    return await new Promise<boolean>((resolve, reject) => {
      const onHead = (head: ResponseHead): void => {
        deadline = clock.nowMs() + bodyMs;
        silence = silenceMs;
        sink.onHead(head);
      };
      const reader = new ResponseReader({ ...sink, onHead, onEnd: resolve }, method);
      const fail = (kind: FaultKind, cause: unknown): void => {
        reject(new TransportFault(progress.sent ? kind : "unsent", cause));
        socket.destroy();
      };
      const attempt = (work: () => void): void => {
        try {
          work();
        } catch (cause) {
          fail("lost", cause);
        }
      };
      const timeout = (): void => fail("timeout", new Error("no answer in time"));
      // Any data on the socket restarts its timer with the full time. So each piece sets the timer again, to end no
      // later than the deadline.
      socket.setTimeout(headMs);
      leave = listen(socket, {
        data: (piece: Buffer) => {
          attempt(() => reader.push(piece));
          const left = deadline - clock.nowMs();
          if (left > 0) socket.setTimeout(Math.min(silence, left));
          else timeout();
        },
        end: () => attempt(() => reader.end()),
        timeout,
        error: (error: Error) => fail("lost", error),
        close: () => fail("lost", new Error("the connection was closed")),
      });
    });
  } finally {
    socket.setTimeout(0);
    leave();
  }
}

function ignore(): void {}
