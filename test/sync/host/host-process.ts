import { serveHost } from "./server.ts";
import { HostState } from "./state.ts";

/**
 * Serves a host in a process of its own, on the port of the argument if there is one. It is driven by messages: the name
 * of a method of its state and arguments.
 */
const state = new HostState();
const [port] = process.argv.slice(2).map(Number);
const { host } = await serveHost(state, port === undefined ? {} : { port });

interface Call {
  readonly id: number;
  readonly method: string;
  readonly values: readonly unknown[];
}

process.on("message", ({ id, method, values }: Call) => {
  try {
    const methods = state as unknown as Record<string, (...values: readonly unknown[]) => unknown>;
    process.send?.({ id, value: methods[method]?.(...values) });
  } catch (error) {
    process.send?.({ id, fault: String(error) });
  }
});
process.on("disconnect", () => process.exit(0));
process.send?.({ host });
