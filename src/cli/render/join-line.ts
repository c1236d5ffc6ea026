import { shellWord } from "../../base/shell-word.ts";

/**
 * The command with which the other machine joins. It does not contain the token, because other users can see arguments.
 */
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
  /** Capabilities, separated by commas. */
  readonly capabilities: string;
  /** Whether the other machine hands over a project that it has. */
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
