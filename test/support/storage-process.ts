import { restoreFile } from "../../src/archive/restore.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/open.ts";
import "../store/upgrade/plant-migration.ts";

/** `storage-process.ts <database> [<export>]`: opens a database, which upgrades it, or restores an export over it. */
const [dsn = "", file] = process.argv.slice(2);
const deps = { clock: systemClock, ids: systemIds(), timezone: "UTC" };
process.stdout.write("begun\n");
if (file === undefined) await (await openStore({ ...deps, dsn })).close();
else
  await restoreFile(deps, {
    file,
    target: { dialect: "sqlite", dsn },
    force: true,
    newInstance: false,
    merge: false,
    actor: "a",
  });
