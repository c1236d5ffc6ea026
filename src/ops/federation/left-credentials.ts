import type { Deps } from "../deps.ts";
import { unfinishedAdoptions } from "./adopt-project.ts";
import { type Federation, withCredentials } from "./far-side.ts";

/**
 * Deletes the tokens of projects that have left their hubs. Another daemon on the same database may have carried out
 * the leave, and that daemon cannot change the file of this one. Keeps the token of a project that is still being handed
 * over, and a token that is only reserved for a project of config.toml: no project was joined with it yet. Returns how many tokens were deleted.
 */
export async function forgetLeftCredentials({
  store,
  federation,
}: Pick<Deps, "store"> & { readonly federation: Federation }): Promise<number> {
  return await federation.inTurn(
    async () =>
      await withCredentials(federation, async (credentials) => {
        const stored = await credentials.all();
        const joined = await store.read(
          async (reader) =>
            new Set([
              ...(await reader.federation.copies()),
              ...(await unfinishedAdoptions(reader)),
            ]),
        );
        let deleted = 0;
        for (const [uid, { spoke_instance_uid, actor }] of stored) {
          if (spoke_instance_uid !== store.instanceUid || joined.has(uid) || actor === "") continue;
          await credentials.delete(uid);
          deleted += 1;
        }
        return deleted;
      }),
  );
}
