import { expect, test, vi } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { watchIdle } from "../../src/daemon/idle/watch.ts";
import { Engines } from "../../src/engines/engines.ts";
import { answer, type Joined, joined } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";

const TIMEOUT_MS = 10_000;

/** The engines of a daemon that has a copy, was started by a command, and ends when it is idle. */
function started({ spoke }: Pick<Joined, "spoke">) {
  const { store, clock, ids, settings } = spoke;
  const ended = vi.fn<() => void>();
  const idle = watchIdle(clock, TIMEOUT_MS, ended);
  const { beginWork } = idle;
  const engines = new Engines({ store, clock, ids, settings, log: silentLog, beginWork });
  engines.start(spoke.federation.engine);
  const stop = async (): Promise<void> => {
    idle.stop();
    await engines.stop();
  };
  return { clock, idle, ended, stop, state: () => idle.health().state };
}

describeStore("a daemon with a copy that nobody uses", (open) => {
  test("ends when it is idle, although it has a hub to read, and starts no pass afterwards", async () => {
    const at = await joined(open);
    const { clock, ended, stop } = started(at);
    clock.advance(2000);
    await vi.waitFor(() => expect(at.server.asked).toHaveLength(1), 30_000);
    await vi.waitFor(
      () => expect(at.spoke.federation.engine.health?.read(true)).toMatchObject({ running: false }),
      30_000,
    );
    clock.advance(TIMEOUT_MS - 2000);
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), 30_000);
    clock.advance(60_000);
    await new Promise(setImmediate);
    expect(at.server.asked).toHaveLength(1);
    await stop();
  });

  test("waits beyond its idle timeout for a running pass, and ends after this pass", async () => {
    const at = await joined(open);
    let release: (() => void) | undefined;
    at.server.intercept((request, response) => {
      release = () => void answer(at.hub, request, response);
    });
    const { clock, ended, state, stop } = started(at);
    clock.advance(2000);
    await vi.waitFor(() => expect(release).toBeDefined(), 30_000);
    clock.advance(TIMEOUT_MS - 2000);
    await vi.waitFor(() => expect(state()).toBe("blocked"), 30_000);
    expect(ended).not.toHaveBeenCalled();
    release?.();
    await vi.waitFor(() => expect(state()).toBe("stopping"), 30_000);
    expect(ended).toHaveBeenCalledOnce();
    await stop();
  });
});
