import { canonicalJson } from "../../../src/base/json.ts";
import { LOCAL_COLUMNS } from "../../../src/domain/federation/crossing.ts";
import type { AdminStore, Snapshot, SnapshotRows } from "../../../src/store/admin-store.ts";
import { collect } from "../../store/fold.ts";

/** For each table, the rows that cross, as sorted texts. */
export type PortableRows = Readonly<Record<string, readonly string[]>>;

type PortableTable = keyof typeof LOCAL_COLUMNS;

const DERIVED_AND_IDS = [
  ...["id", "open_blockers", "open_children", "total_children", "parked", "held", "ready_from"],
  "content_revision",
  ...["open_issues", "closed_issues", "recurrence_id"],
];

/**
 * Returns what every daemon that has these projects must show alike. Of links, those between two issues of the projects:
 * which other links are shown depends on what else the daemon has. Of imports, those into the project in which their issue
 * is now.
 */
export async function portableRows(
  store: Pick<AdminStore, "openSnapshot">,
  projects: ReadonlySet<string>,
): Promise<PortableRows> {
  const snapshot = await store.openSnapshot();
  try {
    const issues = await collect(snapshot, "issue");
    const shown = issues.filter((row) => projects.has(row.project_uid));
    const homeOf = new Map(shown.map(({ uid, project_uid }) => [uid, project_uid]));
    const own = new Set(homeOf.keys());
    const ofIssue = ({ issue_uid }: { readonly issue_uid: string }) => own.has(issue_uid);
    const ofProject = (row: { readonly project_uid: string }) => projects.has(row.project_uid);
    return {
      project: await rows(snapshot, "project", ({ uid }) => projects.has(uid)),
      issue: await rows(snapshot, "issue", ofProject),
      comment: await rows(snapshot, "comment", ofIssue),
      label: await rows(snapshot, "label", ofIssue),
      link: await rows(snapshot, "link", (row) => own.has(row.from_uid) && own.has(row.to_uid)),
      import: await rows(
        snapshot,
        "import",
        (row) => homeOf.get(row.issue_uid) === row.project_uid,
      ),
      external_root: await rows(snapshot, "external_root", ofIssue),
      cron_jobs: await rows(snapshot, "cron_jobs", ofProject),
      cron_workflows: await rows(snapshot, "cron_workflows", ofProject),
      cron_runs: await rows(snapshot, "cron_runs", ofProject),
    };
  } finally {
    await snapshot.close();
  }
}

async function rows<T extends PortableTable>(
  snapshot: Snapshot,
  table: T,
  isOwn: (row: SnapshotRows[T]) => boolean,
): Promise<readonly string[]> {
  const local: readonly string[] = [...DERIVED_AND_IDS, ...LOCAL_COLUMNS[table]];
  const found = (await collect(snapshot, table)).filter(isOwn);
  return found.map((row) => text(row, local)).sort();
}

function text(row: object, without: readonly string[]): string {
  const kept = Object.entries(row).filter(([column]) => !without.includes(column));
  return canonicalJson(JSON.parse(JSON.stringify(Object.fromEntries(kept))));
}
