import type { Connection } from "../connection.ts";
import type { Search } from "../types/issues.ts";
import { lexical } from "./lexical.ts";
import { similar, type Unwritten } from "./similar.ts";
import { writeTexts } from "./write.ts";

export function search(connection: Connection, unwritten?: Unwritten): Search {
  return {
    lexical: async (query) => {
      if (unwritten !== undefined) await writeTexts(connection, unwritten.texts.uids());
      return await lexical(connection, query);
    },
    similar: async (projectUid, { title }, limit) =>
      await similar(connection, projectUid, title, limit, unwritten),
  };
}
