import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { type Agent, DONE, followUpTitle, PROGRESS, SHA, Tally } from "./agents.ts";
import type { BenchDaemon } from "./daemon.ts";

const SVC = path.resolve(import.meta.dirname, "../../bin/svc");
/** Finds the ref in the line that `svc next --claim --agent` prints. */
const TAKEN = /^OK take issue=(\S+)/;

export function commandAgent({ env }: BenchDaemon, name: string, cwd: string): Agent {
  const tally = new Tally();
  const svc = async (...words: readonly [string, ...string[]]) => {
    const ran = await promisify(execFile)(SVC, [...words, "--agent", "--as", name], {
      cwd,
      env,
    }).catch((error: { code: number; stdout: string; stderr: string }) => error);
    tally.add(words[0], Buffer.byteLength(ran.stdout) + Buffer.byteLength(ran.stderr));
    return { text: ran.stdout, failure: "code" in ran ? ran.stderr : undefined };
  };
  return {
    start: 0,
    tally,
    take: async () => {
      const { text, failure } = await svc("next", "--claim");
      if (failure !== undefined) throw new Error(failure);
      return TAKEN.exec(text)?.[1];
    },
    show: async (ref) => mustRun(await svc("show", ref)),
    comment: async (ref) => mustRun(await svc("comment", ref, "-m", PROGRESS)),
    close: async (ref) =>
      (await svc("close", ref, "--done", "--commit", SHA, "-m", `${ref}: ${DONE}`)).failure ===
      undefined,
    followUp: async (ref) =>
      mustRun(await svc("create", followUpTitle(ref), "--related", ref, "--force-new")),
    end: async () => undefined,
  };
}

function mustRun({ failure }: { readonly failure: string | undefined }): void {
  if (failure !== undefined) throw new Error(failure);
}
