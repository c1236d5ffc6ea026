/** What a daemon shows its hub, to copy one project of it (`config/credentials.ts`). */
export interface HubCredential {
  readonly hub_url: string;
  readonly hub_project_id: number;
  readonly token: string;
  readonly capabilities: readonly string[];
  readonly actor: string;
  readonly allow_insecure: boolean;
  readonly spoke_instance_uid: string;
}
