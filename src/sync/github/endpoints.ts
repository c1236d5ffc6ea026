/** The host that everybody may read from. Others are listed in `SVC_PROVIDER_SYNC_ALLOWED_HOSTS`. */
export const PUBLIC_HOST = "github.com";

/** Where the interfaces of a host are, without a slash at the end. */
export interface Endpoints {
  readonly rest: string;
  readonly graphql: string;
}

export function endpointsOf(host: string): Endpoints {
  // Hosts of GitHub's own enterprise cloud have their interface beside them, as the public host has.
  if (host === PUBLIC_HOST || host.endsWith(".ghe.com"))
    return { rest: `https://api.${host}`, graphql: `https://api.${host}/graphql` };
  return { rest: `https://${host}/api/v3`, graphql: `https://${host}/api/graphql` };
}
