import { chmod, constants, open } from "node:fs/promises";
import { z } from "zod";
import { restoreFile } from "../../../archive/index.ts";
import { systemIds } from "../../../base/ids.ts";
import { requireConfirmation } from "../../confirmed.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { withoutPaths } from "../../storage/host-fault.ts";
import {
  filesOf,
  type HostDatabase,
  type HostStorage,
  isDatabaseFile,
  nodeOf,
} from "../../storage/host-storage.ts";
import { realDatabase } from "../../storage/real-database.ts";
import {
  type ArtifactPlace,
  pathIn,
  pathOfOpen,
  refused,
  regularFile,
} from "../../storage/storage-root.ts";
import { CHANGES, tool } from "../../tool.ts";

export const storageImport = tool({
  name: "svc.storage_import",
  title: "Import storage",
  description:
    "Restores an exported file into a database; which databases there are was said when the server was started.",
  annotations: { ...CHANGES, idempotentHint: false },
  input: z.strictObject({
    artifact: inputs.artifact,
    target: z.string().min(1).max(64).describe("the database, by its alias in --storage-target"),
    force: z.boolean().optional().describe("replace a SQLite database"),
    confirm: z.string().optional().describe("exactly REPLACE STORAGE <alias>, with force"),
    new_instance: z.boolean().optional().describe("give the database an identity of its own"),
  }),
  output: z.strictObject({
    artifact: z.string(),
    target: z.string(),
    backend: z.enum(["sqlite", "postgres"]),
  }),
  async run({ artifact, target: alias, force, confirm, new_instance }, context) {
    const { storage, actor, clock } = context;
    if (storage === undefined) throw new ToolError("the server has no storage root");
    const target = storage.targets.get(alias);
    if (target === undefined) throw new ToolError(`there is no target ${JSON.stringify(alias)}`);
    requireFree(alias, target, storage);
    const isThere = target.dialect === "sqlite" && nodeOf(target.dsn) !== undefined;
    if (target.dialect === "postgres" && force === true)
      throw new ToolError("a database of a server is never replaced; name an empty one");
    if (isThere) {
      if (force !== true) throw new ToolError(`target ${alias} holds data; replace it with force`);
      requireConfirmation(confirm, `REPLACE STORAGE ${alias}`);
    }
    const restoreFrom = async (place: ArtifactPlace): Promise<void> => {
      if ((await regularFile(artifact, place)) === undefined)
        throw refused(artifact, "there is no such file");
      const path = await pathIn(place.folder, place.name);
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        if (!(await file.stat()).isFile()) throw refused(artifact, "it is no regular file");
        const opened = pathOfOpen(file, path);
        const deps = { clock, ids: systemIds(), timezone: storage.timezone };
        const input = {
          file: opened,
          target,
          force: isThere,
          newInstance: new_instance === true,
          merge: false,
          actor,
        };
        const names = {
          [opened]: artifact,
          [target.dsn]: alias,
          [target.shown]: alias,
          [realDatabase(target.dsn)]: alias,
        };
        await withoutPaths(`target ${alias}`, names, async () => {
          await restoreFile(deps, input);
          if (target.dialect === "sqlite") await chmod(target.dsn, 0o600);
        });
      } finally {
        await file.close();
      }
    };
    const what = `artifact ${JSON.stringify(artifact)}`;
    await withoutPaths(what, {}, async () => await storage.root.within(artifact, restoreFrom));
    return { artifact, target: alias, backend: target.dialect };
  },
});

/** Refuses the database that the daemon serves, however its DSN is written, and every file that belongs to it. */
function requireFree(alias: string, target: HostDatabase, { active }: HostStorage): void {
  if (target.identity === active.identity)
    throw new ToolError(`target ${alias} is the database that the daemon serves`);
  if (target.dialect !== "sqlite") return;
  if (isDatabaseFile(filesOf([active]), realDatabase(target.dsn), nodeOf(target.dsn)))
    throw new ToolError(`target ${alias} is a file of the database that the daemon serves`);
}
