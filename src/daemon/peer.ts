import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { RuntimeRecord } from "./record.ts";

export interface Peer {
  readonly pid?: number;
  readonly network: RuntimeRecord["network"];
  readonly address: string;
}

/**
 * A daemon that answers: one announced in the folder, or one that listens on this database's socket from another
 * home. Asked only when the lock is taken.
 */
export async function findLive(runtimeDir: string, socketPath: string): Promise<Peer | undefined> {
  const records = readdirSync(runtimeDir).filter((name) => /^daemon\.\d+\.json$/.test(name));
  const announced = records.flatMap((name) => readRecord(join(runtimeDir, name)) ?? []);
  for (const peer of [...announced, { network: "unix", address: socketPath } as const]) {
    if (await answersPing(peer)) return peer;
  }
  return undefined;
}

function readRecord(path: string): Peer | undefined {
  try {
    const { pid, network, address } = JSON.parse(readFileSync(path, "utf8")) as Record<
      string,
      unknown
    >;
    if (typeof pid !== "number" || typeof address !== "string") return undefined;
    return network === "unix" || network === "tcp" ? { pid, network, address } : undefined;
  } catch {
    return undefined;
  }
}

/** One that is stopping refuses the ping with 503 and does not count: its lock will be free soon. */
async function answersPing({ network, address }: Peer): Promise<boolean> {
  return await new Promise((resolve) => {
    const split = address.lastIndexOf(":");
    const host = address.slice(0, split).replace(/^\[|\]$/g, "");
    const socket =
      network === "unix"
        ? connect({ path: address })
        : connect({ host, port: Number(address.slice(split + 1)) });
    const settle = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.setTimeout(1000, () => settle(false));
    socket.once("error", () => settle(false));
    socket.once("data", (bytes) => settle(bytes.toString("latin1").startsWith("HTTP/1.1 200 ")));
    socket.write("GET /api/v1/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  });
}
