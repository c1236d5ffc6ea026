import { agentOutput, header, row } from "../../shared/agent.ts";
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

interface Uninstalled {
  readonly dry_run: boolean;
  readonly hosts: readonly {
    readonly client: string;
    readonly path: string;
    readonly action: "removed" | "absent";
    readonly removes_file: boolean;
  }[];
}

export const uninstallView: View<Uninstalled> = {
  human: ({ dry_run, hosts }, { quiet }) => {
    const removed = hosts.filter(({ action }) => action === "removed");
    if (quiet) return removed.map(({ path }) => path).join("\n");
    const verb = dry_run ? "would remove" : "removed";
    return hosts
      .map(({ path, action, removes_file }) => {
        if (action === "absent") return `svc is not in ${path}`;
        return removes_file
          ? `${verb} ${path}, which had nothing else`
          : `${verb} svc from ${path}`;
      })
      .join("\n");
  },
  agent: ({ dry_run, hosts }, quiet) =>
    agentOutput(
      header("mcp_uninstall", { dry_run }),
      hosts.map(({ client, action, path }) => row({ client, action, path })),
      quiet,
    ),
};
