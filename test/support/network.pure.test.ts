import { createServer, connect as dial, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Network, openNetwork } from "./network.ts";

/** A server that sends back what it receives, behind a network. */
async function echoing() {
  const received: string[] = [];
  const sessions = new Set<Socket>();
  const server = createServer((socket) => {
    sessions.add(socket.on("error", () => undefined));
    socket.on("close", () => sessions.delete(socket));
    socket.on("data", (bytes) => {
      received.push(bytes.toString());
      socket.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const network = await openNetwork(`tcp://127.0.0.1:${port}`);
  onTestFinished(async () => {
    await network.close();
    server.close();
  });
  return { network, received, sessions };
}

/** A client of the network, with what it heard. */
async function client({ host, port }: Network) {
  const heard = { text: "", over: undefined as string | undefined };
  const socket = dial({ host, port });
  onTestFinished(() => void socket.destroy());
  socket.on("data", (bytes) => (heard.text += bytes.toString()));
  socket.on("error", (error: NodeJS.ErrnoException) => (heard.over ??= error.code));
  socket.on("close", () => (heard.over ??= "closed"));
  await new Promise<void>((resolve) => {
    socket.once("connect", resolve);
    socket.once("error", () => resolve());
  });
  return { heard, say: (text: string) => socket.write(text) };
}

test("the test network passes bytes both ways, also while it delays them", async () => {
  const { network } = await echoing();
  const one = await client(network);
  one.say("a");
  await expect.poll(() => one.heard.text).toBe("a");
  network.delay(20);
  for (const letter of "bcdef") one.say(letter);
  await expect.poll(() => one.heard.text).toBe("abcdef");
  expect(network.connections).toBe(1);
});

test("a cut connection is noticed by both sides, or only by the side for which it is cut", async () => {
  const { network, sessions } = await echoing();
  const one = await client(network);
  one.say("a");
  await expect.poll(() => one.heard.text).toBe("a");
  network.cut("client");
  await expect.poll(() => one.heard.over).toBe("ECONNRESET");
  expect(sessions.size).toBe(1);
  network.cut();
  await expect.poll(() => sessions.size).toBe(0);
  const two = await client(network);
  two.say("b");
  await expect.poll(() => two.heard.text).toBe("b");
});

test("a silenced connection stays silent, and a new one works", async () => {
  const { network, received } = await echoing();
  const one = await client(network);
  one.say("a");
  await expect.poll(() => one.heard.text).toBe("a");
  network.silence("toClient");
  one.say("b");
  await expect.poll(() => received).toContain("b");
  const two = await client(network);
  two.say("c");
  await expect.poll(() => two.heard.text).toBe("c");
  expect(one.heard).toEqual({ text: "a", over: undefined });
});

test("a network that drops all bytes swallows those of new connections too, until it passes bytes again", async () => {
  const { network, received } = await echoing();
  network.drop();
  const one = await client(network);
  one.say("lost");
  network.pass();
  const two = await client(network);
  two.say("b");
  await expect.poll(() => two.heard.text).toBe("b");
  expect(received).toEqual(["b"]);
  expect(one.heard).toEqual({ text: "", over: undefined });
});

test("delayed bytes arrive in order", async () => {
  const { network, received } = await echoing();
  const one = await client(network);
  network.hold("toClient");
  one.say("a");
  await expect.poll(() => received).toEqual(["a"]);
  one.say("b");
  await expect.poll(() => received.join("")).toBe("ab");
  expect(one.heard.text).toBe("");
  network.pass();
  await expect.poll(() => one.heard.text).toBe("ab");
});

test("a refusing network closes no open connection, and accepts again on the same port", async () => {
  const { network } = await echoing();
  const one = await client(network);
  await network.refuse();
  const refused = await client(network);
  expect(refused.heard.over).toBe("ECONNREFUSED");
  one.say("a");
  await expect.poll(() => one.heard.text).toBe("a");
  await network.accept();
  const two = await client(network);
  two.say("b");
  await expect.poll(() => two.heard.text).toBe("b");
});

test("a fault of one connection does not affect the others", async () => {
  const { network, received } = await echoing();
  const [one, two] = [await client(network), await client(network)];
  const silenced = network.after("toServer", "one", (passage) => passage.silence());
  one.say("one");
  await silenced;
  await expect.poll(() => received).toEqual(["one"]);
  one.say("more");
  two.say("two");
  await expect.poll(() => two.heard.text).toBe("two");
  expect(received).toEqual(["one", "two"]);
  expect(one.heard).toEqual({ text: "", over: undefined });
});

test("a fault occurs right after the text that it waits for", async () => {
  const { network, received } = await echoing();
  const one = await client(network);
  const cut = network.after("toServer", "commit", () => network.cut());
  one.say("begin");
  await expect.poll(() => one.heard.text).toBe("begin");
  one.say("commit");
  await cut;
  await expect.poll(() => one.heard.over).toBe("ECONNRESET");
  await expect.poll(() => received).toEqual(["begin", "commit"]);
  expect(one.heard.text).toBe("begin");
});
