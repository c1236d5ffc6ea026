import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const LOOK_MS = 100;
const ESTABLISHED = "01";

/** Counts the TCP connections of a process several times a second. `end` stops this and returns the highest count. */
export function openConnections(pid: number): { end(): number } {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, connectionsOf(pid))), LOOK_MS);
  return {
    end: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/** How many TCP connections a process has now. */
export function connectionsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const own = new Set(readdirSync(folder).map((fd) => linkOf(`${folder}/${fd}`)));
  const sockets = ["tcp", "tcp6"].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8").trim().split("\n").slice(1),
  );
  return sockets
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , , state, , , , , , inode]) => state === ESTABLISHED && own.has(`socket:[${inode}]`),
    ).length;
}

/** Returns "" for a descriptor that was closed after it was listed. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
