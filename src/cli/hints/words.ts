/**
 * `line`: the svc command line to propose. `words`: the words for which it is proposed, separated by commas. `remark`:
 * a sentence to add to the proposal.
 */
type Row = readonly [line: string, words: string, remark?: string];

/**
 * The words that users of gh, git-bug, jira-cli, beads, Taskwarrior, Linear, tbd and Backlog.md type first, with the
 * svc command lines to propose for them. In a `line`, `, or ` separates alternative command lines. A test runs each of
 * them. `words` may also contain the name of a group of svc commands, such as `label`, or a command of svc with a
 * further word, such as `comment add`.
 */
const ROWS: readonly Row[] = [
  // Create
  [
    'svc create "<title>"',
    "add, a, make, open-issue, capture, q, quick, insert, file, report-bug, addm, jot, draft, draft create, raise, submit, bug-report",
  ],
  [
    'svc create "<title>" --parent <ref>',
    "subtask, sub, child, sub-issue, subissue, subtask add, create-subtask, add-child, decompose",
  ],
  [
    'svc create "<title>"',
    "epic, epic create, epic add, epic new, story, feature, milestone, milestone create, milestone add, initiative, goal",
    "a larger issue is one with children: create them with --parent <ref>",
  ],
  [
    "svc plan apply plan.json",
    "bulk, batch, bulk-create, create-form, template, templates, scaffold, addto, breakdown",
    "a tree of issues from one file",
  ],
  [
    'svc create "<title>" --body-file <file>',
    "create-from-file, from-file, paste, duplicate-task, copy, cp, clone, dupe",
  ],
  // Read
  [
    "svc list",
    "all, l, lists, index, backlog, inventory, enum, enumerate, listall, lsa, newest, oldest, long, minimal, epic list, milestone list, sprint list, todo-list, summary, overview, dump-list, select, count",
  ],
  ["svc list --status all", "everything, any, archive list, all-issues"],
  [
    "svc list --status closed",
    "closed, completed, finished, resolved, archived, done-list, closed-list, history-list",
  ],
  ["svc list --owner <owner>", "mine, my, resume, assigned, assigned-to, by-owner, my-issues"],
  ["svc list --unowned", "unassigned, unowned, orphans, free, up-for-grabs"],
  ["svc list --label <label>", "by-label, tagged, labeled, labelled, listcon, lsc, filter, where"],
  ["svc list --max-priority 1", "urgent, important, top, critical, listpri, lsp, high"],
  [
    "svc show <ref>",
    "get, read, cat, info, details, detail, describe, inspect, display, issue-view, print, peek, look, expand, get-issue, s, v",
  ],
  ["svc show <ref>, or svc reopen <ref>", "open"],
  ["svc show <ref>, or svc list", "status, state, st, issue-status"],
  [
    "svc search <words>",
    "find, grep, query, lookup, locate, f, search issues, duplicates, find-duplicates, similar, fts, rg",
  ],
  [
    "svc ready",
    "available, unblocked, actionable, workable, can-start, startable, queue, work-queue, todos, pending",
  ],
  [
    "svc next",
    "pick-next, suggest, recommend, what-next, whats-next, what, todo-next, top-issue, get-next, next-task, next-issue",
  ],
  [
    "svc next --claim",
    "take-next, grab-next, pull-next, claim-next, pop, dequeue, checkout-next, work-next",
  ],
  [
    "svc list",
    "blocked, waiting, stuck, is-blocked",
    "● marks what is blocked; svc why <ref> says by what",
  ],
  [
    "svc why <ref>",
    "blocked-by, blockers, blocker, blocking, why-blocked, explain, reason, waits-for, waiting-for, dep list, dep blockers, deps list",
  ],
  [
    "svc graph <ref>",
    "tree, deps, dependencies, children, parent, subtasks, dependents, dep tree, dep show, deps tree, relations, related, links, links list, link list, network, dag, hierarchy, sequence, sequence list, map, dep graph, dep cycles",
  ],
  [
    "svc graph --critical-path",
    "critical-path, longest-path, bottleneck, bottlenecks, burndown, forecast, gantt, roadmap",
  ],
  [
    "svc holders",
    "wip, active, in-progress, inprogress, in_progress, doing, working, ongoing, current, stale, who-works, owners, workload, started, leases, lease list, claims, team, members, assignees, people",
  ],
  [
    "svc labels",
    "label list, label ls, label list-all, label show, tags, tag list, types, categories, contexts, context",
  ],
  [
    "svc log <ref>",
    "history, activity, changes, changelog, timeline, journal, versions, revisions, diff, blame, trail, edits",
  ],
  [
    "svc show <ref>",
    "comments, comment list, comment ls, comment show, notes, discussion, thread, replies, annotations",
    "with its comments",
  ],
  [
    "svc digest --since 24h",
    "stats, statistics, stat, report, reports, standup, recap, weekly, daily, today, yesterday, metrics, velocity, analytics, activity-report, ghistory, timesheet, worklog list",
  ],
  ["svc audit closes", "audit, evidence, close-report, audit list, audit log, verify-closes"],
  [
    "svc events, or svc events --tail",
    "feed, stream, follow, watch, tail, monitor, subscribe, event, events list, notifications-stream, live",
  ],
  ["svc wait <ref>", "await, block-until, wait-for, until, gate, poll"],
  [
    "svc list --json, or svc export --output <file> --allow-running-daemon",
    "json, csv, ndjson, jsonl, raw, api, columns, fields, format",
  ],
  // Take and give
  [
    "svc claim <ref>",
    "take, grab, begin, work, work-on, workon, accept, own, pick, pickup, pick-up, assign-me, assign-to-me, self-assign, checkout, issue-start, hook, commence, volunteer",
  ],
  [
    "svc unassign <ref>",
    "unclaim, release, drop, abandon, give-up, giveup, pause, unstart, unown, disown, deassign, unhook, return, yield, relinquish, unpick, put-back, leave, checkin, suspend, halt",
  ],
  ["svc unassign <ref>, or svc daemon stop", "stop"],
  [
    "svc assign <ref> <owner>",
    "assignee, owner, give, handoff, hand-off, handover, delegate, reassign, set-owner, transfer-to, pass, route, allocate, assign-to, set-assignee",
  ],
  [
    "svc lease acquire <ref>",
    "lease, lock, hold, reserve, lease take, lease get, lease create, acquire, mutex, reserve-issue",
  ],
  [
    "svc lease release <ref>",
    "unlock, lease end, lease drop, lease rm, lease free, unlease, unreserve",
  ],
  [
    "svc lease renew <ref> --ttl 30m",
    "heartbeat, renew, extend, keepalive, lease extend, touch, refresh-lease",
  ],
  // Change
  [
    'svc edit <ref> --title "<title>"',
    "rename, retitle, title, set-title, edit-title, replace, change-title",
  ],
  [
    'svc edit <ref> --body "<text>"',
    "body, description, desc, append, prepend, app, prep, set-body, rewrite, edit-body",
  ],
  [
    "svc edit <ref> --priority <n>",
    "priority, pri, p, prioritize, prioritise, set-priority, bump, escalate, rank, reprioritize, importance, severity",
  ],
  ["svc edit <ref> --priority -", "depri, dp, deprioritize, unprioritize, clear-priority"],
  [
    "svc edit <ref> --priority <n>",
    "update, modify, mod, change, set, alter, amend, patch, set-state, u, e, put, adjust, issue-edit, field",
    "--help lists the other fields; svc close, svc label add and svc schedule change the rest",
  ],
  [
    "svc label add <ref> <label>",
    "tag, label, labels add, add-label, add-tag, tag add, mark, categorize, label set, label create, label new, label apply, set-label, labels set, label put, type, set-type, kind",
  ],
  [
    "svc label rm <ref> <label>",
    "untag, unlabel, remove-label, tag rm, tag remove, label remove, label delete, label del, rm-label, unmark, labels rm, labels remove, delete-label",
  ],
  [
    'svc comment <ref> -m "<text>"',
    "note, annotate, reply, remark, say, post, comments add, comment add, comment new, comment create, annotation, add-comment, add-note, notes add, worklog, worklog add, discuss, respond, c, comment post, log-work",
  ],
  [
    'svc comment edit <ref> <comment> -m "<text>"',
    "edit-comment, comments edit, comment update, comment change, denotate",
  ],
  [
    "svc schedule <ref> <date>",
    "defer, snooze, postpone, later, wait-until, start-date, plan-for, scheduled, tickle, delay",
  ],
  ["svc schedule <ref> -", "undefer, unsnooze, unschedule, wake"],
  [
    "svc deadline <ref> <date>",
    "due, due-date, set-due, duedate, deadline set, due set, overdue, calendar, cal",
  ],
  [
    "svc meta set <ref> someday true --json-value",
    "park, someday, ice, icebox, shelve, freeze, backburner, low, demote, move-to-backlog",
    "it is not ready until svc meta unset <ref> someday",
  ],
  [
    "svc meta unset <ref> someday",
    "unpark, unshelve, promote, draft promote, thaw, unfreeze, activate",
  ],
  [
    "svc meta set <ref> <key> <value>",
    "attr, property, properties, custom, uda, metadata set, meta add, set-meta, estimate, points, estimation, attach, attachment, attachments, set-field, field set",
  ],
  ["svc meta get <ref>", "metadata, meta show, meta list, meta ls, metadata get, attrs, meta"],
  [
    "svc move <ref> <project>",
    "transfer, mv, relocate, refile, migrate-issue, to-project, move-to, rehome",
  ],
  // Links
  [
    "svc dep add <ref> <other>",
    "dep, depend, depends, depends-on, dependson, deps add, dependency, dependency add, add-dep, add-dependency, requires, require, needs, wait-on, dep create, dep new, dep set",
  ],
  [
    "svc dep rm <ref> <other>",
    "undepend, dep del, dep delete, deps rm, deps remove, remove-dep, rm-dep, dependency rm, dependency remove, undep, dep unlink",
  ],
  ["svc block <ref> <other>", "blocks, precede, precedes, add-blocker, prevents"],
  ["svc unblock <ref> <other>", "unblocks, remove-blocker, rm-blocker"],
  [
    "svc link <ref> related <other>",
    "relate, relates, relates-to, connect, associate, link add, link create, cross-reference, xref, see-also, relate-to",
  ],
  [
    "svc link <ref> related <other> --remove",
    "unlink, unrelate, disconnect, link rm, link remove, link del, link delete, dissociate",
  ],
  [
    "svc link <ref> child-of <other>",
    "set-parent, reparent, nest, attach-to, parent-of, adopt, subordinate, group",
  ],
  // Close and open again
  [
    'svc done <ref> --commit <sha> -m "<message>"',
    "finish, complete, resolve, fix, fixed, do, ship, end, solve, accomplish, land, tick, x, deliver, mark-done, issue-close, terminate, set-done, status close, status closed",
  ],
  [
    'svc close <ref> --wontfix -m "<message>"',
    "wontfix, wont-fix, cancel, reject, decline, dismiss, invalid, wontdo, wont-do, kill-issue, obsolete, discard, not-planned, abort, close-wontfix",
  ],
  [
    'svc close <ref> --duplicate-of <other> -m "<message>"',
    "duplicate, dup, duplicate-of, mark-duplicate, dedupe, deduplicate, merge, merge-into, combine, consolidate, fold",
  ],
  [
    'svc close <ref> --superseded-by <other> -m "<message>"',
    "supersede, superseded, superseded-by, replaced-by, obsoleted-by",
  ],
  [
    "svc reopen <ref>",
    "unclose, re-open, undone, undo-close, uncomplete, restart-issue, unresolve, unfinish, status open, reactivate, revive, not-done, uncheck",
  ],
  // Remove and bring back
  [
    "svc delete <ref> --force",
    "remove, del, trash, destroy, erase, bin, d, drop-issue, delete-issue, discard-issue, tombstone, archive-issue",
  ],
  ["svc restore <ref>", "undelete, recover, untrash, un-delete, unremove, undo-delete, recreate"],
  ["svc purge <ref> --force", "shred, expunge, obliterate, wipe, hard-delete, forget, scrub"],
  [
    "svc list --status closed",
    "archive, clean, cleanup, compact, gc, prune, tidy, sweep, admin, archive-done, vacuum, optimize",
    "closed issues need not be archived",
  ],
  [
    "svc undo --actor <actor> --since 1h --dry-run",
    "revert, rollback, undo-last, back, redo, reset, oops, unwind",
  ],
  // Requests to others
  [
    'svc notify <ref> --to <owner> --message "<text>"',
    "mention, ping, ask, request, notify-user, nudge, remind, reminder, message, send, dm, call, page, tell, need-help, review, request-review",
  ],
  [
    "svc inbox",
    "notifications, notification, mentions, mail, messages, unread, requests, alerts, inbox list, inbox show",
  ],
  // Recurring work
  [
    'svc recurrence create --title "<title>" --rrule FREQ=WEEKLY --dtstart <date> --timezone UTC',
    "recur, repeat, recurring, every, weekly-issue, recurrence add, recurrence new, habit, routine",
  ],
  ["svc recurrence list", "recurrences, series, repeats, recurrence ls"],
  [
    "svc cron job list",
    "cron list, cron ls, cron jobs, jobs, job, job list, cron show, crons, automations, workflow list",
  ],
  ["svc cron run list", "runs, run, run list, cron runs, executions, workflow runs, run watch"],
  // Projects
  [
    "svc projects list",
    "workspace, workspaces, project, project list, project ls, repos, repo, repo list, project all, projects ls, listproj, lsprj, spaces, boards, teams, team list, databases, list-projects",
  ],
  [
    "svc projects show",
    "project show, project view, projects view, projects info, project info, project status, where-am-i, which, pwd, repo view, workspace show",
  ],
  [
    "svc projects create <name>",
    "project create, project new, project add, projects add, projects new, projects make, create-project, new-project, mkproject",
  ],
  [
    "svc init --project <project>",
    "setup, initialize, initialise, bind, use, switch, project use, project select, project switch, cd, bootstrap, link-repo, project init, project set, select-project, install",
  ],
  [
    "svc init --with-agents",
    "agents, agent, onboard, agents-md, prime, instructions, rules, skill, skills, setup claude, setup codex, setup cursor, claude, codex, cursor",
  ],
  // Data
  [
    "svc import --merge --source-format beads --input .beads/issues.jsonl",
    "import-beads, beads, beads import, import beads, migrate, migrate beads, from-beads, bd, jira-import, convert, load, ingest, import-jsonl, bridge, migrate-issues",
  ],
  [
    "svc export --output <file> --allow-running-daemon",
    "dump, save, backup-export, export-jsonl, download, export jsonl",
  ],
  [
    "svc export --output <file> --allow-running-daemon",
    "sync, push, pull, fetch, commit, flush, publish, upload, checkpoint, remote, merge-driver",
    "nothing has to be synchronised: all commands ask one daemon, which keeps every change at once",
  ],
  ["svc backup", "snapshot, backups, backup create, backup now, backup run, backup new"],
  [
    "svc doctor",
    "check, check-health, validate, verify, diagnose, lint, fsck, selfcheck, self-check, repair, troubleshoot, config, settings, config list, config get, config show, configuration, preferences, prefs, health-check, where-config, env",
  ],
  // The program itself
  [
    "svc tui",
    "board, kanban, termui, open-board, screen, board list, board view, board show, panel, interactive, lazy, console, shell",
  ],
  ["svc ui", "gui, web, browse, browser, dashboard, webui"],
  [
    "svc whoami",
    "me, user, who, identity, iam, user show, account, auth, auth status, login, logout, profile, author, actor, id",
  ],
  [
    "svc quickstart",
    "guide, tutorial, docs, man, manual, learn, getting-started, howto, how-to, usage, cheatsheet, readme, intro, onboarding, wiki, shorthelp, commands, examples",
  ],
  ["svc version", "ver, about, --ver, -v, release-notes, upgrade-status, build-info"],
  [
    "svc daemon status",
    "daemon, daemons, server status, daemon list, daemon info, daemon ps, ps, processes, uptime, daemon health, service, daemon check",
  ],
  [
    "svc daemon start",
    "serve, server, up, server start, daemon run, boot, run-server, daemon up, launch, daemon serve, service start",
  ],
  ["svc daemon restart", "restart, reboot, daemon reboot, server restart, service restart"],
  [
    "svc daemon stop",
    "down, shutdown, kill, server stop, daemon kill, daemon down, daemon shutdown, service stop, stop-server",
  ],
  ["svc daemon logs", "logs, daemon log, server logs, debug, log-file, service logs"],
  [
    "svc completion bash",
    "completions, autocompletion, autocomplete fish, shell-completion, complete-shell",
  ],
  ["svc demo", "example, sample, try, sandbox, playground, showcase"],
  ["svc openapi", "swagger, schema, spec, api-docs, api-schema, rest"],
];

/** The command that is probably meant when a command gets a superfluous word. */
export const HINTS_BY_EXTRA_WORD: Readonly<Record<string, string>> = {
  comment: 'svc comment <ref> -m "<text>"',
  edit: 'svc edit <ref> --title "<title>"',
  list: "svc list --status closed, svc list --label <label>, or svc search <words>",
  ready: "svc ready --label <label>, or svc ready --owner <owner>",
  next: "svc next --label <label>, or svc next --claim",
  notify: 'svc notify <ref> --to <owner> --message "<text>"',
};

/** Nouns that other trackers put before the verb, as in `gh issue list`. */
export const NOUNS: ReadonlySet<string> = new Set(
  "issue issues task tasks bug bugs ticket tickets todo item items work-item card cards".split(" "),
);

export interface WordHint {
  readonly line: string;
  readonly remark: string | undefined;
}

export const HINTS_BY_WORDS: ReadonlyMap<string, WordHint> = new Map(
  ROWS.flatMap(([line, words, remark]) =>
    words.split(", ").map((each) => [each, { line, remark }] as const),
  ),
);
