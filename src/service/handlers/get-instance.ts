import { offeredDestinations } from './exports/destination-input.ts'
import type { Handler } from './handler.ts'

export const getInstance: Handler<'getInstance'> = async ({ services }) => ({
  destinations: offeredDestinations(services),
  exports_folder: services.exportsFolder,
  private_destinations_allowed: services.config.privateDestinations === 'all',
  settle_seconds: services.config.settleSeconds,
})
