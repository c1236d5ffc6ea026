import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { callbackify } from "node:util";
import { z } from "zod";
import { exportDatabase } from "../../../archive/index.ts";
import { requireConfirmation } from "../../confirmed.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { withoutPaths } from "../../storage/host-fault.ts";
import { filesOf, type HostStorage, isDatabaseFile, nodeText } from "../../storage/host-storage.ts";
import {
  type ArtifactPlace,
  pathIn,
  realPathOf,
  refused,
  regularFile,
} from "../../storage/storage-root.ts";
import { CHANGES, tool } from "../../tool.ts";

export const storageExport = tool({
  name: "svc.storage_export",
  title: "Export storage",
  description:
    "Writes the data of the daemon, or of one project, into a file below the storage root, whole or not at all. Needs a server with --all-projects.",
  annotations: CHANGES,
  input: z.strictObject({
    artifact: inputs.artifact,
    project: inputs.onlyProject,
    include_deleted: z.boolean().default(true).describe("deleted records too, default true"),
    force: z.boolean().optional().describe("replace a file of that name"),
    confirm: z.string().optional().describe("exactly OVERWRITE ARTIFACT <artifact>, with force"),
  }),
  output: z.strictObject({
    artifact: z.string(),
    bytes: z.int(),
    project: ProjectIdentity.optional(),
  }),
  async run({ artifact, project: name, include_deleted, force, confirm }, { scope, storage }) {
    scope.requireAll("svc.storage_export");
    if (storage === undefined) throw new ToolError("the server has no storage root");
    const project = name === undefined ? undefined : await scope.project(name);
    const { dsn, shown } = storage.active;
    const names = { [dsn]: "the daemon's database", [shown]: "the daemon's database" };
    const what = `artifact ${JSON.stringify(artifact)}`;
    const write = async (place: ArtifactPlace): Promise<number> => {
      const before = await regularFile(artifact, place);
      await requireNoDatabase(artifact, place, storage);
      if (before !== undefined) {
        if (force !== true) throw refused(artifact, "it is there already; replace it with force");
        requireConfirmation(confirm, `OVERWRITE ARTIFACT ${artifact}`);
      }
      return await placeWhole(artifact, place, before, async (stdout) => {
        const chosen = project === undefined ? {} : { project: { id: project.id } };
        const written = await exportDatabase(storage.active, "-", {
          includeDeleted: include_deleted,
          allowDaemon: true,
          stdout,
          ...chosen,
        });
        return written.bytes;
      });
    };
    const bytes = await withoutPaths(
      what,
      names,
      async () => await storage.root.within(artifact, write),
    );
    return { artifact, bytes, ...(project && { project }) };
  },
});

/**
 * Refuses an artifact that is a file of the active database or of a target. Compares its path, and its device and
 * inode.
 */
async function requireNoDatabase(
  artifact: string,
  { folder, name }: ArtifactPlace,
  { active, targets }: HostStorage,
): Promise<void> {
  const found = await regularFile(artifact, { folder, name });
  const path = join(await realPathOf(folder), name);
  const files = filesOf([active, ...targets.values()]);
  if (isDatabaseFile(files, path, found && nodeText(found)))
    throw refused(artifact, "it is a file of a database");
}

type ExistingFile = Awaited<ReturnType<typeof regularFile>>;

/**
 * Writes a new file beside the artifact, which only its owner can read. Renames it to the artifact when it is complete.
 */
async function placeWhole(
  artifact: string,
  { folder, name }: ArtifactPlace,
  before: ExistingFile,
  write: (stream: Writable) => Promise<number>,
): Promise<number> {
  const temp = await pathIn(folder, `.svc-artifact-${randomBytes(8).toString("hex")}.tmp`);
  const file = await open(temp, "wx", 0o600);
  try {
    const bytes = await write(streamInto(file));
    await file.sync();
    const now = await regularFile(artifact, { folder, name });
    if ((now && nodeText(now)) !== (before && nodeText(before)))
      throw refused(artifact, "it has changed while the export was written");
    await rename(temp, await pathIn(folder, name));
    await folder.handle.sync();
    return bytes;
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A stream that does not close the file at its end, because the file must be synced before it is closed. */
function streamInto(file: FileHandle): Writable {
  const append = callbackify(async (chunk: Buffer) => await file.appendFile(chunk));
  return new Writable({ write: (chunk: Buffer, _encoding, done) => append(chunk, done) });
}
