import type {
  detachProjectAlias,
  mergeProject,
  purgeProject,
  removeProject,
  restoreProject,
  rewriteAuthorIdentity,
} from "../../contract/project-actions.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { erasedLines } from "./erased.ts";
import { sentenceView } from "./sentence.ts";

export const removedView = sentenceView<Output<typeof removeProject>>(
  "remove",
  ({ project }) =>
    `archived ${oneLine(project.name)}; svc projects restore ${project.id} undoes it`,
  ({ project }) => ({ project: project.name, id: project.id }),
);

export const restoredView = sentenceView<Output<typeof restoreProject>>(
  "restore",
  ({ project, changed }) =>
    changed
      ? `restored ${oneLine(project.name)}`
      : `${oneLine(project.name)} is not archived (no-op)`,
  ({ project, changed }) => ({ project: project.name, id: project.id, changed }),
);

export const purgedView = sentenceView<Output<typeof purgeProject>>(
  "purge",
  ({ purge_log: log, ...erased }, { paint }) => {
    const counts = `${log.issue_count} issues, ${log.comment_count} comments, ${log.link_count} links, ${log.label_count} labels, ${log.event_count} events`;
    const purged = `purged ${oneLine(log.project_name)}: ${counts}`;
    return [purged, ...erasedLines(erased).map((text) => paint("faint", text))].join("\n");
  },
  ({ purge_log: log, erased }) => ({
    project: log.project_name,
    issues: log.issue_count,
    comments: log.comment_count,
    links: log.link_count,
    labels: log.label_count,
    events: log.event_count,
    erased,
  }),
);

export const mergedView: View<Output<typeof mergeProject>> = {
  human: (merged, { quiet }) => {
    if (quiet) return "";
    const { issues_moved: issues, aliases_moved: aliases, events_moved: events } = merged;
    const names = `merged ${oneLine(merged.source.name)} into ${oneLine(merged.target.name)}`;
    const extended = merged.short_id_extensions.map(
      (id) => `  ${id.pre_merge_short_id} is ${id.post_merge_short_id} now`,
    );
    return [
      `${names}: ${issues} issues, ${aliases} repositories, ${events} events`,
      ...extended,
      ...(merged.plans_renamed ?? []).map(
        ({ from, to }) =>
          `  its plan ${oneLine(from)} is ${oneLine(to)} now, since both had one of that name`,
      ),
    ].join("\n");
  },
  agent: (merged, quiet) => {
    const fields = {
      source: merged.source.name,
      target: merged.target.name,
      issues: merged.issues_moved,
      aliases: merged.aliases_moved,
      events: merged.events_moved,
    };
    const rows = merged.short_id_extensions.map((id) =>
      row({ was: id.pre_merge_short_id, is: id.post_merge_short_id }),
    );
    const plans = (merged.plans_renamed ?? []).map(({ from, to }) =>
      row({ plan_was: from, plan_is: to }),
    );
    return agentOutput(header("merge", fields), [...rows, ...plans], quiet);
  },
};

export const detachedView: View<Output<typeof detachProjectAlias>> = {
  human: ({ alias }, { quiet }) => (quiet ? "" : `detached ${oneLine(alias.alias_identity)}`),
  agent: ({ alias }, quiet) =>
    agentOutput(header("detach"), line("Alias", alias.alias_identity), quiet),
};

export const rewrittenView = sentenceView<Output<typeof rewriteAuthorIdentity>>(
  "rewrite-author",
  ({ changed, issue_authors, issue_owners, comment_authors, link_authors }) =>
    changed
      ? `rewritten: ${issue_authors} issue authors, ${issue_owners} issue owners, ${comment_authors} comment authors, ${link_authors} link authors`
      : "nothing bears that name (no-op)",
  ({ changed, issue_authors, issue_owners, comment_authors, link_authors }) => {
    return { changed, issue_authors, issue_owners, comment_authors, link_authors };
  },
);
