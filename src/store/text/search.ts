import type { Connection } from "../connection.ts";
import { idsAmong, selectedUids } from "../repos/issue-lists.ts";
import type { Search } from "../types/issues.ts";
import { lexical } from "./lexical.ts";
import { similar, type UnwrittenRows } from "./similar.ts";
import { writeTexts } from "./write.ts";

export function search(connection: Connection, unwritten?: UnwrittenRows): Search {
  return {
    lexical: async (query) => {
      if (unwritten !== undefined) await writeTexts(connection, unwritten.texts.uids());
      return await lexical(connection, query);
    },
    satisfying: async (query, ids) => {
      const { project_uid, labels, exclude_labels, include_deleted } = query;
      const filter = { ...query.filter, project_uid, labels, exclude_labels };
      return await idsAmong(connection, filter, ids, { deletedToo: include_deleted });
    },
    selected: async ({ project_uid, labels, exclude_labels, filter }, most, among) =>
      await selectedUids(
        connection,
        { ...filter, project_uid, labels, exclude_labels },
        most,
        among,
      ),
    similar: async (projectUid, { title }, limit) =>
      await similar(connection, projectUid, title, limit, unwritten),
  };
}
