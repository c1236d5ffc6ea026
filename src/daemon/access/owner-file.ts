import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { newSecret } from "../../base/secret.ts";
import { ownerFilePath } from "../../config/paths.ts";

export interface OwnerFile {
  readonly secret: string;
  remove(): void;
}

/**
 * Writes a secret into a file that only the user who runs the daemon can read, so the secret proves who that user is.
 * It replaces the daemon's own socket on systems without Unix sockets.
 */
export function writeOwnerFile(runtimeDir: string, platform = process.platform): OwnerFile {
  const path = ownerFilePath(runtimeDir);
  const secret = newSecret();
  const remove = (): void => rmSync(path, { force: true });
  remove();
  try {
    // Write the secret only after other users have lost access to the file.
    writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    if (platform === "win32") closeToOthers(path);
    writeFileSync(path, `${secret}\n`);
  } catch (error) {
    remove();
    throw error;
  }
  return { secret, remove };
}

/** The security identifier by which Windows names the owner of a file. */
const OWNER_RIGHTS_SID = "*S-1-3-4";

/** Removes the access rights that the file has inherited from its folder, and gives access only to the owner. */
function closeToOthers(path: string): void {
  execFileSync("icacls", [path, "/inheritance:r", "/grant:r", `${OWNER_RIGHTS_SID}:F`], {
    stdio: "ignore",
  });
}
