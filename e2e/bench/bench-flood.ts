import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import type { Figure } from './bench-figure.ts'
import type { RunningService } from '../service.ts'

const floodMs = 8000
/** Longer than the 5 s after which idle threads end and free their memory. */
const quietMs = 8000
const unfinishedBodies = 40

/**
 * Measures how an attack without a valid token affects other clients: batches of 620,000 tiny events with a wrong token, 48 kB
 * each, and large bodies that never end. A thread sends them, so that sending does not delay the measurement.
 */
export async function floodFigures(service: RunningService): Promise<Figure[]> {
  const before = await residentMb(service)
  const flood = new Worker(import.meta.filename, { workerData: service.origin })
  const ready = new Promise((resolve) => flood.once('message', resolve))
  await ready
  const times: number[] = []
  const until = performance.now() + floodMs
  while (performance.now() < until) {
    const started = performance.now()
    const response = await fetch(`${service.origin}/_health`)
    await response.text()
    times.push(performance.now() - started)
    await wait(20)
  }
  await flood.terminate()
  await wait(quietMs)
  return [
    { name: 'a health check during a flood, maximum', measured: Math.max(...times), bound: 300, unit: 'ms' },
    {
      name: 'memory kept after a flood',
      measured: (await residentMb(service)) - before,
      bound: 100,
      unit: 'MB',
    },
  ]
}

if (!isMainThread && parentPort) flood(String(workerData))

function flood(origin: string): void {
  const event = '{"event":"a","distinct_id":"u"},'
  const many = `[{"event":"a","distinct_id":"u","token":"wrong"},${event.repeat(620_000).slice(0, -1)}]`
  const tiny = gzipSync(many)
  // The token is last, so that it is not found before the batch has been decoded.
  const late = gzipSync(`{"batch":${many.replace(',"token":"wrong"', '')},"api_key":"wrong"}`)
  parentPort?.postMessage('ready', [])
  for (const body of [tiny, tiny, late]) void sendRepeatedly(`${origin}/e/`, body)
  Array.from({ length: unfinishedBodies }, () => sendUnfinished(Number(new URL(origin).port)))
}

async function sendRepeatedly(url: string, body: Buffer): Promise<never> {
  for (;;) {
    const response = await fetch(url, { method: 'POST', body: new Uint8Array(body) })
    await response.text()
  }
}

function sendUnfinished(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => socket.destroy())
  socket.write('POST /e/ HTTP/1.1\r\nhost: spool\r\ncontent-length: 20000000\r\n\r\n[')
  socket.write(Buffer.alloc(16_000_000, ' '))
  return socket
}

async function residentMb({ pid }: RunningService): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
