import type { Config } from '../config.ts'
import { StartupError } from '../startup-error.ts'
import { openEngines, type Engines } from './engines.ts'

/** Opens the engines; null when another process has them open. */
export async function ownEngines(config: Config): Promise<Engines | null> {
  try {
    return await openEngines(config)
  } catch (error) {
    if (error instanceof StartupError) return null
    throw error
  }
}
