import { execFile } from 'node:child_process'
import { lookup } from 'node:dns'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectSftp } from '../../src/service/destinations/sftp/sftp-session.ts'
import { openServerFiles } from '../../src/service/destinations/sftp/sftp-files.ts'
import {
  azuriteUnavailable,
  connectionString,
  container,
  startAzurite,
} from '../../src/service/testing/servers/azurite.ts'
import { sftpUnavailable, startSftpServer } from '../../src/service/testing/servers/sftp-server.ts'
import { median } from './bench-figure.ts'
import { createBenchExport, openBench, resetPeak, timeOf } from './bench-engines.ts'
import { keptExports } from './exports/kept-exports.ts'
import { peakResident } from './exports/peak-resident.ts'

/* Compares exports to Azure with the same to the service's disk, and an upload with that of the program `sftp`; prints figures as JSON. */

const rounds = 3
const format = { file_format: 'Parquet', compression: 'zstd' }

for (const unavailable of [azuriteUnavailable, sftpUnavailable])
  if (unavailable !== null) throw new Error(unavailable)
const { dataDirectory, projectId } = await keptExports()
const [{ services, close }, azurite, server] = await Promise.all([
  openBench(dataDirectory),
  startAzurite(),
  startSftpServer(),
])
const { secrets, warehouse } = services
const programFolder = await mkdtemp(join(tmpdir(), 'spool-sftp-'))

try {
  const toFile = await createBenchExport(services, projectId, {
    destination_type: 'File',
    destination_config: { path: 'file', ...format },
  })
  const toAzure = await createBenchExport(services, projectId, {
    destination_type: 'AzureBlob',
    destination_config: { container_name: container, ...format },
    destination_secrets: secrets.seal(
      JSON.stringify({ connection_string: connectionString(azurite.origin) }),
    ),
  })
  await resetPeak(warehouse)
  await toFile()
  const resident = await peakResident()
  const measured: { file: number; azure: number; program: number; upload: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const file = await timeOf(toFile)
    const azure = await timeOf(toAzure)
    const place = await exportedFile()
    measured.push({
      file,
      azure,
      program: await timeOf(() => putByProgram(place)),
      upload: await timeOf(() => upload(place)),
    })
  }
  const peak = await peakResident()
  const { size } = await stat(await exportedFile())
  const megabytes = Math.round(size / 1e6)
  console.log(
    JSON.stringify([
      {
        name: `1,000,000 events to Azure, over the same to the disk`,
        measured: ratio('azure', 'file'),
        note: `to the disk: ${typical('file')} ms`,
        bound: 1.5,
        unit: '×',
      },
      {
        name: `${megabytes} MB to an SFTP server, over the program sftp`,
        measured: ratio('upload', 'program'),
        note: `the program: ${typical('program')} ms`,
        bound: 1.3,
        unit: '×',
      },
      {
        name: 'memory that uploads add to an export to the disk',
        measured: peak - resident,
        bound: 200,
        unit: 'MB',
      },
    ]),
  )

  function typical(name: keyof (typeof measured)[number]): number {
    return Math.round(median(measured.map((times) => times[name])))
  }

  /** Returns the median of ratios within a round, so that a busy moment concerns both times. */
  function ratio(one: keyof (typeof measured)[number], other: keyof (typeof measured)[number]): number {
    return median(measured.map((times) => times[one] / times[other]))
  }
} finally {
  await Promise.all([azurite.stop(), server.stop()])
  // The data directory is kept, and `exportedFile` expects one file only.
  if (services.exportsFolder) await rm(services.exportsFolder, { recursive: true, force: true })
  await rm(programFolder, { recursive: true })
  await close()
}

/** Returns the path of the file that the export to the disk has written. */
async function exportedFile(): Promise<string> {
  const at = join(services.exportsFolder ?? '', String(projectId), 'file')
  const [name = ''] = await readdir(at)
  return join(at, name)
}

/** Uploads a file with the client of the service. */
async function upload(place: string): Promise<void> {
  const { signal } = new AbortController()
  const session = await connectSftp({ ...server.config, private_key: server.privateKey }, lookup, signal)
  const options = { signal, onSent: () => undefined, during: <T>(send: () => Promise<T>) => send() }
  const files = openServerFiles(session, (key) => key, { id: 'bench', attempt: 1 }, options)
  const sent = await files.send({ place, bytes: (await stat(place)).size }, 'by-service')
  await sent.publish()
  await files.close()
}

/** Uploads a file with OpenSSH's own client. */
async function putByProgram(place: string): Promise<void> {
  const [key, batch] = [join(programFolder, 'key'), join(programFolder, 'batch')]
  await writeFile(key, server.privateKey, { mode: 0o600 })
  await writeFile(batch, `put "${place}" by-program\n`)
  const { host, port, user } = server.config
  const trust = [
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
    '-o',
    'LogLevel=ERROR',
  ]
  await promisify(execFile)('sftp', ['-b', batch, '-i', key, '-P', String(port), ...trust, `${user}@${host}`])
}
