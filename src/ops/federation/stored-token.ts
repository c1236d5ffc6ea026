import { shellWord } from "../../base/shell-word.ts";
import { SvcError } from "../../contract/errors.ts";
import type { HubCredential } from "./hub-credential.ts";

export interface Credentials {
  /** What is stored for the project and this database. */
  readonly stored: HubCredential | undefined;
  /** Whether another database of the same home has stored a token for the project. */
  readonly isOfOther: boolean;
  /** Whether the request brings a token that is not the stored one. */
  readonly isNew: boolean;
  /** The project here whose mapping of config.toml has reserved another token (`otherReservation`). */
  readonly reservedFor: string | undefined;
}

/** What a join asks for, as far as it is compared with the stored tokens. */
interface AskedToken {
  readonly hub_project_uid: string;
  readonly project_name: string;
  readonly token: string | undefined;
}

interface AskedPlace extends Pick<HubCredential, "hub_url" | "hub_project_id" | "allow_insecure"> {
  readonly hub_project_uid: string;
}

/**
 * Returns the name of the project whose mapping of config.toml has reserved another token than the request has, for the
 * hub's project or for the project of that name here. `known` has the tokens of this database. The hub may have
 * enrolled a reserved token, so a join must not replace it: nobody could end its enrollment any more.
 */
export function otherReservation(
  known: Iterable<readonly [uid: string, HubCredential]>,
  { hub_project_uid, project_name, token }: AskedToken,
): string | undefined {
  for (const [uid, { actor, managed, token: reserved }] of known) {
    if (actor !== "" || managed === undefined) continue;
    const isForHub = uid === hub_project_uid;
    const isUsed = isForHub && (token ?? reserved) === reserved;
    if (!isUsed && (isForHub || managed.spoke_project_name === project_name))
      return managed.spoke_project_name;
  }
  return undefined;
}

/** Throws if a mapping has reserved another token (docs/contract/federation.md#4-join-adopt-rejoin). */
export function requireUnreserved(reservedFor: string | undefined, project_uid: string): void {
  if (reservedFor === undefined) return;
  throw new SvcError(
    "federation_credential_conflict",
    { project_uid, fields: ["token"] },
    {
      message: `this daemon has made a token to copy the project ${reservedFor} as config.toml says`,
      hint: `svc health says why it has not joined yet; to join by hand: svc federation leave ${shellWord(reservedFor)}, enroll again on the hub, and join with that token`,
    },
  );
}

/** Throws if the stored token is for another hub or project, or has another permission for plain HTTP. */
export function requireSameCredential(stored: HubCredential | undefined, asked: AskedPlace): void {
  if (stored === undefined) return;
  const fields = (["hub_url", "hub_project_id", "allow_insecure"] as const).filter(
    (field) => stored[field] !== asked[field],
  );
  if (fields.length === 0) return;
  const data = { project_uid: asked.hub_project_uid, fields };
  const isElsewhere = fields.some((field) => field !== "allow_insecure");
  throw isElsewhere
    ? new SvcError("federation_credential_conflict", data)
    : new SvcError("federation_credential_conflict", data, {
        message: "the token that is stored for the project has another permission for plain http",
      });
}

/**
 * The error for a token of a project for which another database has stored one. The file has one token for each
 * project, so storing this token would overwrite the token of the other database. A database that was restored with a
 * new identity may overwrite the token of its former identity.
 */
export function ofOtherDatabase(project_uid: string): SvcError {
  return new SvcError(
    "federation_credential_conflict",
    { project_uid, fields: ["spoke_instance_uid"] },
    {
      message: "another database with this home has stored a token for the project",
      hint: `give this database a home of its own (SVC_HOME), or delete [projects.${project_uid}] in credentials.toml`,
    },
  );
}
