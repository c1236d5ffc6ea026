import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inNetwork } from "../../support/private-network.ts";
import type { HostState } from "./state.ts";

type Methods = {
  [K in keyof HostState]: HostState[K] extends (...values: infer V) => infer R
    ? (...values: V) => Promise<R>
    : never;
};

/** The host in a process of its own; every method of its state, called by message. */
export interface HostProcess {
  readonly host: string;
  readonly pid: number;
  readonly state: Methods;
  close(): Promise<void>;
}

interface Reply {
  readonly id?: number;
  readonly value?: unknown;
  readonly fault?: string;
}

/** With `port` in a private network of its own, in which every port is free. */
export async function startHost(port?: number): Promise<HostProcess> {
  const file = join(import.meta.dirname, "host-process.ts");
  const child =
    port === undefined
      ? fork(file, { execArgv: [] })
      : fork(file, [String(port)], {
          execPath: "unshare",
          execArgv: inNetwork(process.execPath),
        });
  const [first] = (await once(child, "message")) as [{ readonly host: string }];
  const waiting = new Map<number, (reply: Reply) => void>();
  child.on("message", (reply: Reply) => waiting.get(reply.id ?? 0)?.(reply));
  let last = 0;
  const call = async (method: string, values: readonly unknown[]): Promise<unknown> => {
    const id = ++last;
    const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    child.send({ id, method, values });
    const { value, fault } = await replied;
    waiting.delete(id);
    if (fault !== undefined) throw new Error(fault);
    return value;
  };
  const state = new Proxy({} as Methods, {
    get:
      (_none, method) =>
      async (...values: readonly unknown[]) =>
        await call(String(method), values),
  });
  return {
    host: first.host,
    pid: child.pid ?? 0,
    state,
    close: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
