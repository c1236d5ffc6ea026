/**
 * The credential with which a daemon copies one project of a hub (`config/credential-entry.ts` describes the fields).
 */
export interface HubCredential {
  readonly hub_url: string;
  readonly hub_project_id: number;
  readonly token: string;
  readonly capabilities: readonly string[];
  /** Empty while the token is only reserved: no project was joined with it yet. */
  readonly actor: string;
  readonly allow_insecure: boolean;
  readonly spoke_instance_uid: string;
  /** Set if the daemon made the token itself, for a `[[federation.project]]` of config.toml. */
  readonly managed?: {
    readonly hub_catalog: string;
    readonly hub_project_name: string;
    readonly requested_actor: string;
    readonly spoke_project_name: string;
    /** Set while the project is leaving. The id is 0 while it is unknown. */
    readonly leave?: { readonly pending_enrollment_id: number };
  };
}
