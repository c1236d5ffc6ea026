import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { ProviderState } from "./state.ts";

type Methods = {
  [K in keyof ProviderState]: ProviderState[K] extends (...values: infer V) => infer R
    ? (...values: V) => Promise<Awaited<R>>
    : never;
};

/** The provider in a process of its own; every method of its state, called by message. */
export interface ProviderProcess {
  readonly baseUrl: string;
  readonly pid: number;
  readonly state: Methods;
  close(): Promise<void>;
}

interface Reply {
  readonly id?: number;
  readonly value?: unknown;
  readonly fault?: string;
}

export async function startProvider(): Promise<ProviderProcess> {
  const child = fork(join(import.meta.dirname, "provider-process.ts"), { execArgv: [] });
  const [first] = (await once(child, "message")) as [{ readonly baseUrl: string }];
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
    baseUrl: first.baseUrl,
    pid: child.pid ?? 0,
    state,
    close: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
