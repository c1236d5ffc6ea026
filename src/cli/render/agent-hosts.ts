import { agentOutput, header } from "../../shared/agent.ts";
import type { View } from "../output.ts";

/** Prints only the configuration text in every mode, so that the output can be written to a file. */
export const configView: View<{ readonly text: string }> = {
  human: ({ text }) => text,
  agent: ({ text }) => text,
};

interface Installed {
  readonly client: string;
  readonly path: string;
  readonly action: "created" | "added" | "replaced" | "unchanged";
  readonly dry_run: boolean;
  readonly text: string;
}

const DONE = {
  created: ["created", "would create"],
  added: ["added svc to", "would add svc to"],
  replaced: ["replaced svc in", "would replace svc in"],
} as const;

export const installView: View<Installed> = {
  human: ({ path, action, dry_run, text }, { quiet }) => {
    if (action === "unchanged") return quiet ? "" : `svc is in ${path} already`;
    if (dry_run) return `${DONE[action][1]} ${path}:\n${text}`;
    return quiet ? path : `${DONE[action][0]} ${path}`;
  },
  agent: ({ client, path, action, dry_run, text }, quiet) =>
    agentOutput(
      header("mcp_install", { client, action, path, dry_run }),
      dry_run && action !== "unchanged" ? text.split("\n") : [],
      quiet,
    ),
};
