import type { Finding } from "../../domain/finding.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { HostCheck } from "../agent-hosts/judge.ts";
import type { View } from "../output/output.ts";
import { checkLines, countsText } from "./doctor.ts";

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

const DONE_TEXTS = {
  created: ["created", "would create"],
  added: ["added svc to", "would add svc to"],
  replaced: ["replaced svc in", "would replace svc in"],
} as const;

export const installView: View<Installed> = {
  human: ({ path, action, dry_run, text }, { quiet }) => {
    if (action === "unchanged") return quiet ? "" : `svc is in ${path} already`;
    if (dry_run) return `${DONE_TEXTS[action][1]} ${path}:\n${text}`;
    return quiet ? path : `${DONE_TEXTS[action][0]} ${path}`;
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

interface Diagnosed {
  readonly hosts: readonly {
    readonly client: string;
    readonly title: string;
    readonly path: string | null;
    readonly checks: readonly HostCheck[];
  }[];
  readonly summary: Readonly<Record<Finding["status"], number>>;
}

const ID_WIDTH = 14;

export const mcpDoctorView: View<Diagnosed> = {
  human: ({ hosts, summary }, { paint, quiet }) => {
    if (hosts.length === 0)
      return quiet
        ? ""
        : "no file of an agent host has an entry svc; svc mcp install --client <name> adds one";
    const blocks = hosts.flatMap(({ title, path, checks }) => {
      const shown = quiet ? checks.filter(({ status }) => status === "failed") : checks;
      if (shown.length === 0) return [];
      const head = path === null ? title : `${title}: ${oneLine(path)}`;
      return [[head, ...shown.flatMap((check) => checkLines(check, ID_WIDTH, paint))].join("\n")];
    });
    return [...blocks, ...(quiet ? [] : [countsText(summary)])].join("\n\n");
  },
  agent: ({ hosts, summary }, quiet) =>
    agentOutput(
      header("mcp_doctor", { ...summary }),
      hosts.flatMap(({ client, path, checks }) =>
        checks.map(({ id, status, summary: text, fix }) =>
          row({ client, path, check: id, status, summary: text, fix }),
        ),
      ),
      quiet,
    ),
};
