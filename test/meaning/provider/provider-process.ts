import { serveProvider } from "./server.ts";
import { ProviderState } from "./state.ts";

/** Serves a provider in a process of its own. It is driven by messages: the name of a method of its state and arguments. */
const state = new ProviderState();
const { baseUrl } = await serveProvider(state);

interface Call {
  readonly id: number;
  readonly method: string;
  readonly values: readonly unknown[];
}

process.on("message", ({ id, method, values }: Call) => {
  const methods = state as unknown as Record<string, (...values: readonly unknown[]) => unknown>;
  Promise.resolve()
    .then(() => methods[method]?.(...values))
    .then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, fault: String(error) }),
    );
});
process.on("disconnect", () => process.exit(0));
process.send?.({ baseUrl });
