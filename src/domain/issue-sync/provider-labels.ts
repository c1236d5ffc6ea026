/**
 * The names of the providers as people write them. They have a file of their own, because a page shows them and needs
 * no other rule of a provider.
 */
export const PROVIDER_LABELS = { github: "GitHub" } as const;

/** The name of the provider; its id if only a newer daemon supports the provider. */
export function providerLabel(provider: string): string {
  return (PROVIDER_LABELS as Readonly<Record<string, string>>)[provider] ?? provider;
}
