import { resolve } from "node:path";
import type { Dsn } from "../../config/dsn.ts";
import { parseDsn, requireSafePostgres } from "../../config/dsn.ts";
import type { Config } from "../../config/load.ts";
import { runtimeDir } from "../../config/paths.ts";
import { invalid } from "../../contract/errors.ts";
import type { HostDatabase, HostStorage } from "./host-storage.ts";
import { StorageRoot } from "./storage-root.ts";

const ALIAS = /^[A-Za-z0-9._-]{1,64}$/;

/** Opens what `--storage-root` and `--storage-target` name. Throws `validation` for a value that cannot be used. */
export async function openStorage(
  config: Config,
  cwd: string,
  { root, targets }: { readonly root: string; readonly targets: readonly string[] },
): Promise<HostStorage> {
  const named = new Map(targets.map((text) => targetOf(text, config, cwd)));
  if (named.size < targets.length) throw invalid("--storage-target names an alias twice");
  return {
    root: await StorageRoot.open(resolve(cwd, root)).catch((cause: unknown) => {
      throw invalid(`--storage-root is no folder that can be opened: ${root}`, undefined, cause);
    }),
    active: databaseOf(config, config.dsn),
    targets: named,
    timezone: config.settings.timezone,
  };
}

function targetOf(text: string, config: Config, cwd: string): readonly [string, HostDatabase] {
  const at = text.indexOf("=");
  const alias = text.slice(0, Math.max(at, 0));
  // The message does not repeat the part after the alias, which may be a DSN with a password.
  if (!ALIAS.test(alias))
    throw invalid(
      "--storage-target needs alias=path or alias=DSN",
      "an alias has 1 to 64 of a-z A-Z 0-9 . _ -",
    );
  const dsn = parseDsn(text.slice(at + 1), cwd, config.settings.postgresSchema);
  return [alias, databaseOf(config, dsn)];
}

function databaseOf(config: Config, dsn: Dsn): HostDatabase {
  const identity = runtimeDir(config.home, dsn);
  const shown = dsn.display;
  if (dsn.dialect === "sqlite") return { dialect: "sqlite", dsn: dsn.path, shown, identity };
  requireSafePostgres(dsn, config.settings.postgresAllowInsecure);
  return { dialect: "postgres", dsn: dsn.url, shown, schema: dsn.schema, identity };
}
