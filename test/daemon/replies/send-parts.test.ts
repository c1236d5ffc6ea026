import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { HttpClient } from "../../../src/client/http/client.ts";
import { send } from "../../../src/daemon/listeners/send.ts";
import { compressed, jsonParts } from "../../../src/daemon/replies/reply.ts";
import { tempFolder } from "../../support/daemon.ts";

/** Serves each request by `answer`, and returns the path of the socket. */
async function served(answer: (res: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((_req, res) => void answer(res));
  onTestFinished(() => void server.close());
  const path = join(tempFolder(), "s");
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  return path;
}

const MANY = Array.from({ length: 40 }, (_, at) => `${at} ä𝄞`.repeat(5000));

test.each([
  ["few parts that are short together", ["[1,", '"ä𝄞"', "]"]],
  ["many parts", MANY],
  ["a part that is long by itself", ["[", "é".repeat(400_000), "]"]],
  ["no part", []],
])("an answer of %s arrives as one text with its length", async (_, parts) => {
  const path = await served(async (res) => await send(res, jsonParts(200, parts, {}), {}));
  const client = new HttpClient({ network: "unix", path });
  const request = { method: "GET", target: "/", headers: { Host: "localhost" } } as const;
  const { headers, body } = await client.request(request, 20_000);
  const whole = Buffer.from(parts.join(""));
  expect(Buffer.from(body).equals(whole)).toBe(true);
  expect(headers["content-length"]).toBe(String(whole.byteLength));
});

test("the parts of an answer are compressed together", async () => {
  const { body, headers } = await compressed(jsonParts(200, MANY, {}), "gzip");
  expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
  expect(gunzipSync(body as Buffer).toString() === MANY.join("")).toBe(true);
});

test("an answer is no longer sent once its client has disconnected", async () => {
  const ended = Promise.withResolvers<number>();
  const path = await served(async (res) => {
    await send(res, jsonParts(200, [...MANY, ...MANY, ...MANY], {}), {});
    ended.resolve(res.req.socket.bytesWritten);
  });
  const socket = connect(path);
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  expect(await ended.promise).toBeLessThan(Buffer.byteLength(MANY.join("")) * 3);
});
