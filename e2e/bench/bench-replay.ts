import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { EventType, IncrementalSource, MouseInteractions, NodeType } from '../../src/replay/recorded/rrweb.ts'
import type { Figure } from './bench-figure.ts'
import type { Tenant } from '../journey.ts'
import { responseTime, receive } from './response-time.ts'
import { sendBody } from './send-body.ts'
import type { RunningService } from '../service.ts'

const sessions = 60
const requestsPerSession = 6
const clients = 12
const words = 'lamp brass shade linen order cart checkout delivery invoice product visitor shop'.split(' ')

type Body = { packed: Uint8Array<ArrayBuffer>; size: number }

/** Measures the capture of recordings as posthog-js sends them, while client and service share the machine. */
export async function replayFigures(service: RunningService): Promise<Figure[]> {
  const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Replay')
  const captured = await capturePerSecond(service, tenant)
  return [
    {
      name: 'capture of replay, decompressed, including the client',
      measured: captured / 1e6,
      bound: 40,
      unit: 'MB/s',
      atLeast: true,
    },
    {
      name: 'the first block of a recording, median',
      measured: await firstBlock(service, tenant),
      bound: 30,
      unit: 'ms',
    },
  ]
}

/** Measures the capture rate in decompressed bytes per second. */
async function capturePerSecond(service: RunningService, tenant: Tenant): Promise<number> {
  const send = ({ packed }: Body) => sendBody(`${service.origin}/s/?ip=1`, packed)
  for (const body of sessionBodies(tenant)) await send(body)
  const queues = Array.from({ length: sessions }, () => sessionBodies(tenant))
  const size = queues.flat().reduce((sum, body) => sum + body.size, 0)
  const started = performance.now()
  const rest = queues.values()
  const sendSessions = async () => {
    for (const bodies of rest) for (const body of bodies) await send(body)
  }
  await Promise.all(Array.from({ length: clients }, sendSessions))
  return (size * 1000) / (performance.now() - started)
}

/** Measures the median time (ms) to receive the first block of a recording. */
async function firstBlock({ origin }: RunningService, { project_id, api_key }: Tenant): Promise<number> {
  const url = `${origin}/api/projects/${project_id}/session_recordings/`
  const headers = { authorization: `Bearer ${api_key}` }
  const response = await fetch(`${url}?limit=${sessions}`, { headers })
  const { results } = (await response.json()) as { results: { id: string }[] }
  return responseTime(3 * sessions, 0.5, (request) => {
    const { id } = results[request % results.length] ?? { id: '' }
    return receive(`${url}${id}/snapshots/?source=blob_v2&start_blob_key=0&end_blob_key=0`, headers)
  })
}

/** Returns the request bodies (100 to 1,000 kB each) of one session: a full snapshot first, then changes. */
function sessionBodies({ project_token }: Tenant): Body[] {
  const [session, window] = [randomUUID(), randomUUID()]
  const start = Date.now() - 600_000
  return Array.from({ length: requestsPerSession }, (_, number) => {
    const requestStart = start + number * 60_000
    const count = number === 0 ? 300 : 400 + ((number * 7919) % 2600)
    const events = Array.from({ length: count }, (_, index) =>
      incremental(requestStart + 100 + index * 15, index),
    )
    const snapshot = {
      type: EventType.FullSnapshot,
      timestamp: requestStart,
      data: packedText({ node: nodes(1500) }),
      cv: '2024-10',
    }
    const item = {
      uuid: randomUUID(),
      event: '$snapshot',
      properties: {
        $snapshot_data: number === 0 ? [snapshot, ...events] : events,
        $session_id: session,
        $window_id: window,
        distinct_id: session,
        token: project_token,
        $lib: 'web',
      },
    }
    const body = Buffer.from(JSON.stringify([item]))
    return { packed: new Uint8Array(gzipSync(body, { level: 6 })), size: body.length }
  })
}

function incremental(timestamp: number, index: number): unknown {
  if (index % 40 === 0) {
    const data = {
      source: IncrementalSource.Mutation,
      texts: packedText([]),
      attributes: packedText([]),
      removes: packedText([]),
    }
    return {
      type: EventType.IncrementalSnapshot,
      timestamp,
      data: { ...data, adds: packedText(nodes(40)) },
      cv: '2024-10',
    }
  }
  if (index % 25 === 0)
    return {
      type: EventType.IncrementalSnapshot,
      timestamp,
      data: {
        source: IncrementalSource.MouseInteraction,
        type: MouseInteractions.Click,
        id: index,
        x: 412,
        y: 88,
      },
    }
  if (index % 15 === 0)
    return {
      type: EventType.IncrementalSnapshot,
      timestamp,
      data: { source: IncrementalSource.Input, text: '*****', isChecked: false, id: 12 },
    }
  if (index % 10 === 0)
    return {
      type: EventType.IncrementalSnapshot,
      timestamp,
      data: { source: IncrementalSource.Scroll, id: 1, x: 0, y: index * 3 },
    }
  const positions = Array.from({ length: 10 }, (_, point) => ({
    x: (index * 31 + point * 7) % 1280,
    y: (index * 17 + point * 5) % 720,
    id: (index * 13) % 1500,
    timeOffset: point * -50,
  }))
  return {
    type: EventType.IncrementalSnapshot,
    timestamp,
    data: { source: IncrementalSource.MouseMove, positions },
  }
}

function nodes(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    type: NodeType.Element,
    tagName: 'div',
    attributes: { class: `${randomWord()}-${randomWord()}`, id: randomUUID().slice(0, 13) },
    childNodes: [{ type: NodeType.Text, textContent: `${randomWord()} ${randomWord()}`, id: index }],
    id: index,
  }))
}

function randomWord(): string {
  return words[Math.floor(Math.random() * words.length)] ?? ''
}

function packedText(value: unknown): string {
  return gzipSync(JSON.stringify(value)).toString('latin1')
}
