import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Statements that make the tables in the schema svc which the code of this storage schema made and filled. */
export function fixtureSql(version: number): string {
  const file = join(import.meta.dirname, `fixtures/schema-${version}.sql.gz`);
  return gunzipSync(readFileSync(file)).toString("utf8");
}
