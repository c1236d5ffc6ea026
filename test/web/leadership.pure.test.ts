import { expect, onTestFinished, test } from "vitest";
import { Leadership } from "../../web/shared-stream/leadership.ts";
import type { WindowMessaging } from "../../web/shared-stream/windows.ts";
import { FakeClock } from "../support/clock.ts";

/** Windows of one browser without locks, whose messages arrive at once. */
class Room {
  readonly clock = new FakeClock();
  readonly #hears = new Map<string, (message: unknown) => void>();
  #muted = "";

  enter(id: string): Leadership {
    const windows: WindowMessaging = {
      locks: undefined,
      open: (hear) => {
        this.#hears.set(id, hear);
        return {
          post: (message) => this.post(id, message),
          close: () => void this.#hears.delete(id),
        };
      },
    };
    const window = new Leadership({ clock: this.clock, windows, id });
    onTestFinished(() => window.leave());
    window.join();
    return window;
  }

  post(id: string, message: unknown): void {
    if (id === this.#muted) return;
    for (const [other, hear] of this.#hears) if (other !== id) hear(message);
  }

  /** From now on nobody hears this window, as when its process was killed. */
  mute(id: string): void {
    this.#muted = id;
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      this.clock.advance(100);
      // Those who slept have their turn.
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
}

test("of windows that open at the same time the one with the smallest id leads, and the others follow", async () => {
  const room = new Room();
  const [c, a, b] = [room.enter("c"), room.enter("a"), room.enter("b")];
  await room.pass(1000);
  expect([a.role, b.role, c.role]).toEqual(["leading", "following", "following"]);
});

test("a window that opens later follows, even with a smaller id, and is told how far the leader has read", async () => {
  const room = new Room();
  const b = room.enter("b");
  await room.pass(1000);
  b.tell({ isOpen: true, pieces: 1, cursor: 7, epoch: "E" });
  const a = room.enter("a");
  expect([a.role, b.role]).toEqual(["following", "leading"]);
  expect(a.told).toEqual({ isOpen: true, pieces: 1, cursor: 7, epoch: "E" });
  const { news } = a;
  b.tell({ isOpen: true, pieces: 1, cursor: 8, epoch: "E" });
  await news;
  expect(a.told?.cursor).toBe(8);
});

test("a leader that closes is replaced soon, and a leader that falls silent after some seconds", async () => {
  const room = new Room();
  const [a, b, c] = [room.enter("a"), room.enter("b"), room.enter("c")];
  await room.pass(1000);
  a.leave();
  await room.pass(1000);
  expect([a.role, b.role, c.role]).toEqual(["away", "leading", "following"]);
  const ended = c.whileInRole;
  room.mute("b");
  await room.pass(6000);
  expect([c.role, ended.aborted]).toEqual(["following", false]);
  await room.pass(3000);
  expect([c.role, ended.aborted]).toEqual(["leading", true]);
});

test("if two windows lead because they did not hear each other, one gives up once it hears the other", async () => {
  const room = new Room();
  room.mute("a");
  const [a, b] = [room.enter("a"), room.enter("b")];
  await room.pass(1000);
  expect(a.role).toBe("leading");
  room.mute("");
  await room.pass(3000);
  expect([a.role, b.role]).toEqual(["leading", "following"]);
});

test("messages of an unknown form are ignored", async () => {
  const room = new Room();
  const a = room.enter("a");
  for (const message of [null, "beat", { says: "beat" }, { from: "0" }, [1]])
    room.post("x", message);
  await room.pass(1000);
  expect(a.role).toBe("leading");
});
