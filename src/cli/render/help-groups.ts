interface Group {
  readonly title: string;
  readonly commands: readonly string[];
}

/** The groups of the command list, in the order in which people need them. */
export const GROUPS: readonly Group[] = [
  group("Start here", "init quickstart demo tui ui"),
  group(
    "Issues",
    `create plan:apply claim assign unassign edit comment comment:edit label:add label:rm
    schedule deadline meta:set meta:unset meta:get close done reopen block
    unblock link dep:add dep:rm move delete restore purge undo`,
  ),
  group(
    "Query",
    `ready next why list show graph search search:status search:reindex labels log events events:compare wait digest audit:closes`,
  ),
  group(
    "Leases",
    `lease:acquire lease:renew lease:release lease:status lease:steal lease:force-release
    holders`,
  ),
  group("Inbox", "notify inbox"),
  group(
    "Recurring issues",
    `recurrence:create recurrence:list recurrence:show recurrence:update recurrence:delete`,
  ),
  group(
    "Cron",
    `cron:job:create cron:job:list cron:job:show cron:job:update cron:job:enable
    cron:job:disable cron:job:delete cron:job:restore cron:job:preview cron:job:ledger
    cron:job:sweep cron:workflow:create cron:workflow:list cron:workflow:show cron:workflow:update
    cron:workflow:delete cron:workflow:restore cron:run:observe cron:run:list cron:run:show
    cron:run:running cron:run:report cron:capabilities`,
  ),
  group(
    "Projects",
    `projects:list projects:show projects:create projects:rename projects:meta projects:merge
    projects:detach projects:rewrite-author projects:remove projects:restore projects:purge`,
  ),
  group(
    "Data",
    `import import:list import:undo export backup backup:verify storage:postgres:status storage:postgres:migrate doctor`,
  ),
  group(
    "Issues of GitHub",
    "sync:github:enable sync:github:once sync:github:status sync:github:disable",
  ),
  group(
    "Connectors",
    `connector:list connector:status connector:test
    connector:field:list connector:field:map connector:field:unmap
    bridge:bind bridge:show bridge:reconcile bridge:pause bridge:resume bridge:unbind
    bridge:resolve-field bridge:resolve-comment`,
  ),
  group(
    "Federation",
    `federation:identity federation:enable federation:enroll federation:enrollments:list
    federation:enrollments:rotate federation:revoke federation:join federation:resync federation:rebind federation:leave
    federation:status federation:verify
    federation:quarantine:list federation:quarantine:show federation:quarantine:retry
    federation:quarantine:skip`,
  ),
  group(
    "Daemon",
    `health daemon:status daemon:start daemon:stop daemon:restart daemon:reload daemon:logs
    daemon:locate daemon:exposure daemon:trust tokens:create tokens:list tokens:revoke`,
  ),
  group("Agents", "mcp:serve mcp:config mcp:install mcp:uninstall mcp:doctor"),
  group("Other", "whoami version openapi completion autocomplete"),
];

function group(title: string, ids: string): Group {
  return { title, commands: ids.split(/\s+/) };
}
