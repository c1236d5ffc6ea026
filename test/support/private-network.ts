import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Attempt, Outcome } from "./start-attempt.ts";

/** Addresses of a private network that exists only for the started program. */
export const [PRIVATE_4, PRIVATE_6, LINK_LOCAL] = ["10.77.0.1", "fd77::1", "169.254.77.1"];

const SETUP = [
  "ip link set lo up",
  "ip address add 10.77.0.1/24 dev lo",
  "ip address add fd77::1/64 dev lo nodad",
  "ip address add 169.254.77.1/16 dev lo",
  'exec "$@"',
].join(" && ");

/** The words for `unshare` that run a program in the private network, with mounts of its own. */
export function inNetwork(program: string, ...words: readonly string[]) {
  return ["-rnm", "sh", "-c", SETUP, "sh", program, ...words];
}

/** Words that run a program in the private network of a process. */
export function inNetworkOf(pid: number): readonly string[] {
  return ["nsenter", `--target=${pid}`, "--user", "--net", "--preserve-credentials"];
}

/** False where users cannot make network namespaces. Tests that need one are skipped there. */
export const hasPrivateNetwork =
  process.platform === "linux" && spawnSync("unshare", inNetwork("true")).status === 0;

/** Like `attempt`, but in another process inside the private network. */
export function attemptsInNetwork(attempts: readonly Attempt[]): readonly Outcome[] {
  const script = join(import.meta.dirname, "start-process.ts");
  const { stdout, stderr, status } = spawnSync("unshare", inNetwork(process.execPath, script), {
    input: JSON.stringify(attempts),
    encoding: "utf8",
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(`the attempts ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
