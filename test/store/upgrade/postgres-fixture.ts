import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/**
 * Returns statements that make the tables of this storage schema in the schema svc, with rows that the code of that
 * time wrote.
 */
export function fixtureSql(version: number): string {
  const file = join(import.meta.dirname, `../fixtures/schema-${version}.sql.gz`);
  return gunzipSync(readFileSync(file)).toString("utf8");
}
