import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { newSecret } from "../../base/secret.ts";
import { ownerFilePath } from "../../config/paths.ts";

export interface OwnerFile {
  readonly secret: string;
  remove(): void;
}

/**
 * Writes a secret into a file that only the user who runs the daemon can read. Whoever knows the secret is that user. It
 * takes the place of the daemon's own socket on systems that have no Unix sockets.
 */
export function writeOwnerFile(runtimeDir: string, platform = process.platform): OwnerFile {
  const path = ownerFilePath(runtimeDir);
  const secret = newSecret();
  const remove = (): void => rmSync(path, { force: true });
  remove();
  try {
    // The file gets its secret only once nobody else can open it.
    writeFileSync(path, "", { mode: 0o600, flag: "wx" });
    if (platform === "win32") closeToOthers(path);
    writeFileSync(path, `${secret}\n`);
  } catch (error) {
    remove();
    throw error;
  }
  return { secret, remove };
}

/** The security identifier that Windows has for the owner of a file. */
const OWNER = "*S-1-3-4";

/** Takes away the access that the file has inherited from its folder, and gives it to the owner alone. */
function closeToOthers(path: string): void {
  execFileSync("icacls", [path, "/inheritance:r", "/grant:r", `${OWNER}:F`], { stdio: "ignore" });
}
