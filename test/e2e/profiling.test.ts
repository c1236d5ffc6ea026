import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../support/daemon.ts";
import { type DaemonProcess, daemonProcess } from "../support/daemon-process.ts";

const TOKEN = "planted-secret-0123456789";

async function get({ endpoint }: DaemonProcess, path: string, token?: string) {
  return await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    request({ socketPath: endpoint.address, path: `/debug/pprof${path}`, headers }, (response) => {
      const { statusCode: status } = response;
      void buffer(response).then((bytes) => resolve({ status, text: bytes.toString() }), reject);
    })
      .once("error", reject)
      .end();
  });
}

test("the built daemon records every profile, and only the full heap snapshot contains its token", async () => {
  const daemon = await daemonProcess({ folder: tempFolder(), env: { SVC_AUTH_TOKEN: TOKEN } });
  onTestFinished(async () => void (await daemon.end("SIGKILL")));
  expect((await get(daemon, "/heap?snapshot=1")).status).toBe(401);
  const recordings = ["/profile", "/heap", "/allocs", "/block", "/trace"];
  const facts = ["/", "/cmdline", "/goroutine", "/symbol", "/threadcreate"];
  for (const path of [...recordings.map((one) => `${one}?seconds=1`), ...facts]) {
    const { status, text } = await get(daemon, path, TOKEN);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain(TOKEN);
  }
  const { text } = await get(daemon, "/heap?snapshot=1", TOKEN);
  expect(JSON.parse(text).snapshot.node_count).toBeGreaterThan(10_000);
  expect(text).toContain(TOKEN);
  expect((await get(daemon, "/block?seconds=1", TOKEN)).status).toBe(200);
  expect(await daemon.end("SIGTERM")).toBe(0);
}, 60_000);
