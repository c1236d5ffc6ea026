import { shellWord } from "../../base/shell-word.ts";

/** The command with which the other machine joins. The token is not in it, since arguments are seen by others. */
export function joinLine({
  hubUrl = "<url of this hub>",
  projectId,
  actor,
  capabilities,
  adopts = false,
  allowInsecure,
}: {
  readonly hubUrl?: string | undefined;
  readonly projectId: number;
  readonly actor: string;
  /** A text with commas. */
  readonly capabilities: string;
  /** Whether the other machine hands a project over. */
  readonly adopts?: boolean;
  readonly allowInsecure: boolean;
}): string {
  const words = ["--hub-url", hubUrl, "--hub-project-id", String(projectId), "--actor", actor];
  const all = [...words, "--capabilities", capabilities];
  const push = capabilities.split(",").some((one) => one.trim() === "push") ? " --push" : "";
  const handOver = adopts ? " --adopt-existing" : "";
  const insecure = allowInsecure ? " --allow-insecure" : "";
  return `svc federation join ${all.map(shellWord).join(" ")}${push}${handOver}${insecure}`;
}
