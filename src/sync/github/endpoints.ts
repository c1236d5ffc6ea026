/**
 * The host that needs no permission in the settings. Other hosts must be listed in `SVC_PROVIDER_SYNC_ALLOWED_HOSTS`.
 */
export const PUBLIC_HOST = "github.com";

/** The base URLs of a host's interfaces, without a slash at the end. */
export interface Endpoints {
  readonly rest: string;
  readonly graphql: string;
}

export function endpointsOf(host: string): Endpoints {
  // Hosts of GitHub's enterprise cloud have their interfaces at `api.<host>`, like the public host.
  if (host === PUBLIC_HOST || host.endsWith(".ghe.com"))
    return { rest: `https://api.${host}`, graphql: `https://api.${host}/graphql` };
  return { rest: `https://${host}/api/v3`, graphql: `https://${host}/api/graphql` };
}
