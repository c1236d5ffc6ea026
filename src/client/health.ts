import { hostOf } from "./daemon-identity.ts";
import { HttpClient } from "./http/client.ts";
import { addressOf, type RuntimeRecord } from "./record.ts";

const TIMEOUT_MS = 5_000;

/** Returns the health report of a daemon of any version, or an empty object if its answer is not a health report. */
export async function healthOf(record: RuntimeRecord): Promise<Readonly<Record<string, unknown>>> {
  const http = new HttpClient(addressOf(record));
  try {
    const headers = { Host: hostOf(record), Accept: "application/json" };
    const request = { method: "GET", target: "/api/v1/health", headers };
    const { status, body } = await http.request(request, TIMEOUT_MS);
    const report: unknown = status === 200 ? JSON.parse(body.toString("utf8")) : undefined;
    return typeof report === "object" && report !== null ? { ...report } : {};
  } finally {
    http.close();
  }
}
