import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { cores } from '../../../src/service/machine.ts'
import { createBenchExport, openBench, timeOf } from '../bench-engines.ts'
import { median } from '../bench-figure.ts'

/* Prints how long (ms) an export of kept data to Parquet with zstd takes with the cores that this process may use. */

const rounds = 3

const [dataDirectory, projectId] = process.argv.slice(2)
const { services, close } = await openBench(dataDirectory, {
  SPOOL_EXPORT_THREADS: String(cores()),
})
const times: number[] = []
for (let round = 0; round < rounds; round++) {
  const destination_config = { path: randomUUID(), file_format: 'Parquet', compression: 'zstd' }
  const run = await createBenchExport(services, Number(projectId), {
    destination_type: 'File',
    destination_config,
  })
  times.push(await timeOf(run))
  await rm(services.exportsFolder ?? '', { recursive: true, force: true })
}
await close()
console.log(median(times))
