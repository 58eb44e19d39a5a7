import { consolePlugin, EventType } from '../../replay/recorded/rrweb.ts'

/** An event or recorded data, as posthog-js sends it. */
export type SentItem = {
  uuid: string
  event: string
  timestamp: string
  properties: Record<string, unknown>
}

/** An exception of the shop's pages. */
type SampleException = {
  type: string
  value: string
  /** Path of the page where the exception occurs; absent if it occurs only in visits without a recording. */
  path?: RegExp
  /** Event that a recording must contain to get the exception. */
  only?: string
  /** Takes only every n-th visit to the page, so that not every recording has exceptions. */
  every?: number
  /** Calls, outermost first, as [function, file, line, column]. */
  calls?: readonly (readonly [string, string, number, number])[]
}

const shop = 'https://lumen-and-loom.example'

export const sampleExceptions: readonly SampleException[] = [
  {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'price')",
    path: /^\/product\//,
    every: 3,
    calls: [
      ['HTMLDocument.onReady', `${shop}/product.js`, 14, 5],
      ['showRelated', `${shop}/product.js`, 41, 18],
      ['priceOf', `${shop}/product.js`, 12, 31],
    ],
  },
  {
    type: 'Error',
    value: 'Payment form did not load',
    path: /^\/checkout/,
    only: 'purchase_completed',
    calls: [
      ['mountPayment', `${shop}/checkout.js`, 63, 9],
      ['waitForFrame', 'https://pay.example/v3/elements.js', 1, 20441],
    ],
  },
  {
    type: 'TypeError',
    value: 'Failed to fetch',
    path: /^\/cart/,
    every: 2,
    calls: [
      ['showDeliveryCosts', `${shop}/cart.js`, 88, 22],
      ['fetchRates', `${shop}/cart.js`, 71, 10],
    ],
  },
  { type: 'Error', value: 'ResizeObserver loop limit exceeded' },
]

/** Recordings in which an exception occurs: as many as the page of an error shows replays of. */
const recordingsMax = 9
/** Time (ms) between the start of a page and its exception, so long that the summary does not blame the click before. */
const delayMs = 5500

/**
 * Adds exceptions to recordings, each on the first page that fits and lasts long enough: the pictures are the same as
 * without them. Each is captured and logged to the console, as posthog-js does.
 */
export function withExceptions(recordings: readonly (readonly SentItem[])[]): SentItem[][] {
  const added = sampleExceptions.flatMap((exception, index) => exceptionsOf(exception, index, recordings))
  return recordings.map((items, index) => {
    const thrown = added.filter(({ recording }) => recording === index).map(({ item }) => item)
    return [...thrown.reduce(withLogged, items), ...thrown]
  })
}

/** Adds the line that the recorder of the console writes for an exception to the recorded data of its time. */
function withLogged(items: readonly SentItem[], { timestamp, properties }: SentItem): SentItem[] {
  const time = Date.parse(timestamp)
  const [{ type, value }] = properties['$exception_list'] as [{ type: string; value: string }]
  const line = { level: 'error', payload: [JSON.stringify(`${type}: ${value}`)], trace: [] }
  const logged = { type: EventType.Plugin, timestamp: time, data: { plugin: consolePlugin, payload: line } }
  const at = items.findIndex((item) => (snapshotsIn(item).at(-1)?.timestamp ?? 0) >= time)
  return items.map((item, index) => {
    if (index !== at) return item
    const all = [...snapshotsIn(item), logged].toSorted((a, b) => a.timestamp - b.timestamp)
    return { ...item, properties: { ...item.properties, $snapshot_data: all } }
  })
}

function snapshotsIn({ properties }: SentItem): { timestamp: number }[] {
  return (properties['$snapshot_data'] ?? []) as { timestamp: number }[]
}

function exceptionsOf(
  exception: SampleException,
  number: number,
  recordings: readonly (readonly SentItem[])[],
): { recording: number; item: SentItem }[] {
  const { path, only, every = 1 } = exception
  if (!path) return []
  return recordings
    .flatMap((items, recording) => {
      if (only && !items.some(({ event }) => event === only)) return []
      const page = items.find((item) => path.test(pathOf(item)) && lasts(item, items))
      return page ? { recording, item: thrown(exception, number, page) } : []
    })
    .filter((_, index) => index % every === 0)
    .slice(-recordingsMax)
}

function pathOf({ event, properties }: SentItem): string {
  return event === '$pageview' ? String(properties['$pathname']) : ''
}

/** Whether the visitor stays on a page until after the exception. */
function lasts(page: SentItem, items: readonly SentItem[]): boolean {
  const from = Date.parse(page.timestamp)
  const left = items.find(({ event, timestamp }) => event === '$pageleave' && Date.parse(timestamp) > from)
  return left !== undefined && Date.parse(left.timestamp) - from > delayMs + 1000
}

/** Returns an exception as posthog-js describes it. */
export function described({ type, value, calls = [] }: SampleException) {
  const frames = calls.map(([name, filename, lineno, colno]) => ({
    platform: 'web:javascript',
    function: name,
    filename,
    lineno,
    colno,
    in_app: filename.startsWith(shop),
  }))
  const mechanism = { handled: false, synthetic: false }
  return { type, value, mechanism, stacktrace: { type: 'raw', frames } }
}

function thrown(exception: SampleException, number: number, page: SentItem): SentItem {
  const { $insert_id: _id, $time: _time, ...properties } = page.properties
  return {
    // Capture derives a UUID from this text: the same one at every installation, so that a repeated one adds nothing.
    uuid: `exception ${number} of ${page.uuid}`,
    event: '$exception',
    timestamp: new Date(Date.parse(page.timestamp) + delayMs).toISOString(),
    properties: { ...properties, $exception_list: [described(exception)], $exception_level: 'error' },
  }
}
