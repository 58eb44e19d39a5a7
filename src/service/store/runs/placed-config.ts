import type { LedgerSettings } from '../schema/ledger-tables.ts'

/** Returns the config of a destination with that of its connection, which together name where it writes; without secrets. */
export function placedConfig({
  destination_config,
  integration_config,
}: Pick<LedgerSettings, 'destination_config' | 'integration_config'>): Record<string, unknown> {
  // Entries of the ledger from before connections have no such key.
  const { name: _, ...connection } = integration_config ?? {}
  return { ...destination_config, ...connection }
}
