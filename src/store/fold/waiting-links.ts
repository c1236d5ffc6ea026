import { sql } from "kysely";
import { LinkChanges } from "../../domain/evolve/link-changes.ts";
import { touchesOfLinks } from "../../domain/evolve/links.ts";
import type { LinkEnds } from "../../domain/state.ts";
import { load } from "../load/load.ts";
import { isIn, sqlStatement } from "../rows/statement.ts";
import { applyChanges } from "./apply-event.ts";
import type { FoldContext } from "./context.ts";

/**
 * Decides again which links between these projects and other projects wait, after a project has become a copy or is no
 * longer a copy.
 */
export async function judgeLinksOf(
  context: FoldContext,
  projects: readonly string[],
): Promise<void> {
  const { connection, loaded } = context;
  const crossing = await crossingLinks.all(connection, { projects });
  await load(connection, loaded, touchesOfLinks(undefined, crossing));
  const links = new LinkChanges(loaded);
  links.judge(crossing);
  await applyChanges(context, links.changes());
}

const crossingLinks = sqlStatement<{ readonly projects: readonly string[] }, LinkEnds>(
  (p, dialect) => {
    const found = (table: string, own: string, other: string) => sql`
      select l.from_uid, l.to_uid, l.type from issue as own
        join ${sql.table(table)} as l on ${sql.ref(`l.${own}`)} = own.uid
        join issue as other on other.uid = ${sql.ref(`l.${other}`)}
        where ${isIn(dialect, sql.ref("own.project_uid"), p.projects)}
          and other.project_uid <> own.project_uid`;
    return sql`${found("link", "from_uid", "to_uid")} union ${found("link", "to_uid", "from_uid")}
      union ${found("waiting_link", "from_uid", "to_uid")}
      union ${found("waiting_link", "to_uid", "from_uid")}`;
  },
);

/**
 * Makes waiting parent links appear if they no longer close a circle. Called after a purge, which deletes issues, even
 * of other projects, without folding an event.
 */
export async function judgeWaitingParents(context: FoldContext): Promise<void> {
  const { connection, loaded } = context;
  loaded.clear();
  await load(connection, loaded, { waitingParents: true });
  const links = new LinkChanges(loaded);
  links.judgeParents(loaded.waitingParents().map(({ from_uid }) => from_uid));
  await applyChanges(context, links.changes());
}
