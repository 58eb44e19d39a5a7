import { join } from 'node:path'
import { openBench, resetPeak } from '../bench-engines.ts'
import { keptData } from '../kept-data.ts'
import { fillEvents } from './fill-events.ts'

/** Returns a data directory with the events of all hours, and the project that has them. */
export async function keptExports(): Promise<{ dataDirectory: string; projectId: number }> {
  const source = join(import.meta.dirname, 'fill-events.ts')
  const { dataDirectory, known } = await keptData('exports', source, async (directory) => {
    const { services, projectId, close } = await openBench(directory)
    await fillEvents(services, projectId)
    await resetPeak(services.warehouse)
    await close()
    return { projectId }
  })
  return { dataDirectory, projectId: known.projectId }
}
