import { agentOutput, header, row } from "../../shared/agent.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";
import { sentenceView } from "./sentence.ts";

export interface Exported {
  readonly path: string;
  readonly records: number;
  readonly bytes: number;
}

export const exportView = sentenceView<Exported>(
  "export",
  ({ path }) => `exported ${oneLine(path)}`,
  (body) => ({ ...body }),
);

export interface BackedUp extends Exported {
  readonly events: number;
  readonly sha256: string;
  readonly removed: readonly string[];
}

export const backupView = sentenceView<BackedUp>(
  "backup",
  ({ path, records, bytes, removed }) => {
    const gone = removed.length === 0 ? "" : `\nremoved ${count(removed.length, "older backup")}`;
    return `backed up to ${oneLine(path)}: ${count(records, "record")}, ${number(bytes)} bytes, read back and sound${gone}`;
  },
  (body) => ({ ...body }),
);

export interface Verified extends Exported {
  readonly events: number;
  readonly sha256: string;
  readonly export_version: number;
}

export const verifiedView = sentenceView<Verified>(
  "verify",
  ({ path, records, events }) =>
    `${oneLine(path)} is sound: ${count(records, "record")}, ${count(events, "event")}`,
  (body) => ({ ...body }),
);

export interface Restored {
  readonly target: string;
  readonly projects: number;
  readonly issues: number;
  readonly events: number;
  readonly kept_old?: string | undefined;
}

export const restoreView = sentenceView<Restored>(
  "import",
  ({ target, projects, issues, events }) =>
    `imported ${oneLine(target)}: ${count(projects, "project")}, ${count(issues, "issue")}, ${count(events, "event")}`,
  ({ target, projects, issues, events, kept_old }) => ({
    target,
    projects,
    issues,
    events,
    kept_old,
  }),
);

export interface Taken {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly comments: number;
  readonly links: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly errors: readonly string[];
}

export interface Imported {
  readonly source: string;
  readonly project: string;
  readonly result: Taken;
}

/** Prints the long report first and the summary last, where it stays visible. */
export function importView(accountText: string): View<Imported> {
  return {
    human: (body, { quiet }) => (quiet ? "" : `${manyLines(accountText)}\n\n${whatHappened(body)}`),
    agent: ({ source, project, result }, quiet) => {
      const { created, updated, unchanged, comments, links } = result;
      const counts = { created, updated, unchanged, comments, links };
      const rows = result.errors.map((error) => row({ error }));
      return agentOutput(header("import", { source, project, ...counts }), rows, quiet);
    },
  };
}

function whatHappened({ project, result }: Imported): string {
  const { created, updated, unchanged, comments, links, reasons, errors } = result;
  const into = `project ${oneLine(project)}`;
  const lines =
    created + updated === 0
      ? [`Nothing changed in ${into}; already there: ${count(unchanged, "issue")}.`]
      : [
          `Into ${into}: ${count(created, "issue")} created, ${number(updated)} updated, ${number(unchanged)} unchanged;`,
          `${count(comments, "comment")} and ${count(links, "link")} added.`,
        ];
  for (const [reason, times] of Object.entries(reasons)) {
    lines.push(`${count(times, "issue")} left alone: ${oneLine(reason)}.`);
  }
  return [...lines, ...errors.map((error) => `not linked: ${oneLine(error)}`)].join("\n");
}

function count(amount: number, what: string): string {
  return `${number(amount)} ${what}${amount === 1 ? "" : "s"}`;
}

function number(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}
