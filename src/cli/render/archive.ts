import { agentOutput, header, row } from "../../shared/agent.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";

export interface Exported {
  readonly path: string;
  readonly records: number;
  readonly bytes: number;
}

export const exportView: View<Exported> = {
  human: ({ path }, { quiet }) => (quiet ? "" : `exported ${oneLine(path)}`),
  agent: (body, quiet) => agentOutput(header("export", { ...body }), [], quiet),
};

export interface BackedUp extends Exported {
  readonly events: number;
  readonly sha256: string;
  readonly removed: readonly string[];
}

export const backupView: View<BackedUp> = {
  human: ({ path, records, bytes, removed }, { quiet }) => {
    if (quiet) return "";
    const gone = removed.length === 0 ? "" : `\nremoved ${count(removed.length, "older backup")}`;
    return `backed up to ${oneLine(path)}: ${count(records, "record")}, ${number(bytes)} bytes, read back and sound${gone}`;
  },
  agent: (body, quiet) => agentOutput(header("backup", { ...body }), [], quiet),
};

export interface Verified extends Exported {
  readonly events: number;
  readonly sha256: string;
  readonly export_version: number;
}

export const verifiedView: View<Verified> = {
  human: ({ path, records, events }, { quiet }) =>
    quiet
      ? ""
      : `${oneLine(path)} is sound: ${count(records, "record")}, ${count(events, "event")}`,
  agent: (body, quiet) => agentOutput(header("verify", { ...body }), [], quiet),
};

export interface Restored {
  readonly target: string;
  readonly projects: number;
  readonly issues: number;
  readonly events: number;
  readonly kept_old?: string | undefined;
}

export const restoreView: View<Restored> = {
  human: ({ target, projects, issues, events }, { quiet }) =>
    quiet
      ? ""
      : `imported ${oneLine(target)}: ${count(projects, "project")}, ${count(issues, "issue")}, ${count(events, "event")}`,
  agent: ({ target, projects, issues, events, kept_old }, quiet) =>
    agentOutput(header("import", { target, projects, issues, events, kept_old }), [], quiet),
};

/** The daemon's summary of an import from another tracker. */
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

/** The long account first, the summary last, where it stays visible. */
export function importView(accountText: string): View<Imported> {
  return {
    human: (body, { quiet }) => (quiet ? "" : `${manyLines(accountText)}\n\n${whatHappened(body)}`),
    agent: ({ source, project, result }, quiet) => {
      const { created, updated, unchanged, comments, links } = result;
      const head = header("import", {
        source,
        project,
        created,
        updated,
        unchanged,
        comments,
        links,
      });
      return agentOutput(
        head,
        result.errors.map((error) => row({ error })),
        quiet,
      );
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
