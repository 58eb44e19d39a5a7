import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { readConfig } from '../src/service/config.ts'
import { openEngines, type Engines } from '../src/service/engines/engines.ts'
import { readBlock } from '../src/service/snapshots/blocks.ts'
import { isRecording } from './is-recording.ts'
import { test, type Tenant } from './journey.ts'
import { startService, type RunningService } from './service.ts'
import { serveVisitedPage } from './visited-page.ts'

type RrwebEvent = { type: number; timestamp: number; data: unknown; cv?: string }

const password = 'tr0ub4dor'
const message = 'The lamp could not be lit'
const clicks = 3
const player = join(createRequire(import.meta.url).resolve('@rrweb/replay'), '../replay.umd.cjs')

test(
  'pages recorded by the current posthog-js and by 1.130 (2024) are stored unchanged, without passwords',
  { tag: '@slow' },
  async ({ browser }) => {
    const folder = await mkdtemp(join(tmpdir(), 'spool-replay-'))
    const service = await startService({ dataDirectory: folder })
    const tenant = await service.admin<Tenant>('organization', 'create', '--name', 'Replay')
    const visits: { session: string; text: string }[] = []
    for (const version of ['current', '1.130'] as const) {
      const shop = await serveVisitedPage(service.origin, tenant.project_token, version)
      const page = await browser.newPage()
      visits.push(await visit(page, shop.url, (session) => errorCount(service, tenant, session)))
      // The requests that the page sends on leaving start before the service stops.
      await page.goto('about:blank')
      await page.close()
      shop.stop()
    }
    await service.stop()

    const engines = await openEngines(readConfig({ SPOOL_DATA_DIR: folder }))
    for (const { session, text } of visits) {
      const row = await recording(engines, session)
      expect(row).toMatchObject({
        project_id: tenant.project_id,
        click_count: clicks,
        keypress_count: password.length,
        console_log_count: 0,
        console_warn_count: 0,
        console_error_count: 1,
        snapshot_source: 'web',
        start_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      })
      const events = await storedEvents(engines, row.id)
      expect(JSON.stringify(events)).not.toContain(password)
      expect(await replayedText(await browser.newPage(), events)).toBe(text)
    }
    expect(await tablesWith(engines, message)).toContain('console_entries')
    expect(await tablesWith(engines, password)).toEqual([])
    await engines.stop()
    await rm(folder, { recursive: true, force: true })
  },
)

/** Performs the actions that are counted later; returns the session and the page's text once everything is stored. */
async function visit(
  page: Page,
  url: string,
  errorCount: (session: string) => Promise<unknown>,
): Promise<{ session: string; text: string }> {
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(request.url()))
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(response.url())
  })
  await page.goto(url)
  await page.waitForFunction(isRecording)
  await page.getByRole('button', { name: 'Add the brass lamp' }).click()
  await page.getByRole('button', { name: 'Add the brass lamp' }).click()
  await page.getByLabel('Password').click()
  await page.getByLabel('Password').pressSequentially(password)
  await page.evaluate((text) => console.error(text), message)
  const session = await page.evaluate(() =>
    (window as unknown as { posthog: { get_session_id(): string } }).posthog.get_session_id(),
  )
  await expect.poll(() => errorCount(session)).toBe(1)
  // posthog-js tries `config.js` first and falls back to JSON.
  expect(failed.filter((failure) => !failure.endsWith('/config.js'))).toEqual([])
  return { session, text: await page.evaluate(() => document.body.innerText) }
}

async function errorCount(service: RunningService, tenant: Tenant, session: string): Promise<unknown> {
  const url = `${service.origin}/api/projects/${tenant.project_id}/session_recordings/${session}/`
  const response = await fetch(url, { headers: { authorization: `Bearer ${tenant.api_key}` } })
  return ((await response.json()) as { console_error_count?: number }).console_error_count
}

async function recording({ postgres }: Engines, session: string) {
  const { rows } = await postgres.pool.query<{ id: string; [column: string]: unknown }>(
    'SELECT * FROM session_recordings WHERE session_id = $1',
    [session],
  )
  expect(rows).toHaveLength(1)
  return rows[0] ?? { id: '' }
}

/** Returns the events of a recording, unpacked, in chronological order. */
async function storedEvents({ postgres, objects }: Engines, id: string): Promise<RrwebEvent[]> {
  const { rows } = await postgres.pool.query<{ object_key: string }>(
    'SELECT object_key FROM session_recording_blocks WHERE recording_id = $1 ORDER BY number',
    [id],
  )
  const blocks = await Promise.all(rows.map((row) => readBlock(objects, row.object_key)))
  const lines = blocks.flatMap((block) => block.toString('utf8').split('\n'))
  return lines
    .map((line) => (JSON.parse(line) as [string, RrwebEvent])[1])
    .map((event) => (event.cv ? { ...event, data: plainData(event.data) } : event))
    .toSorted((a, b) => a.timestamp - b.timestamp)
}

function plainData(data: unknown): unknown {
  if (typeof data === 'string') return JSON.parse(gunzipSync(Buffer.from(data, 'latin1')).toString('utf8'))
  const isPacked = (value: unknown) => typeof value === 'string' && value.startsWith('\x1f\x8b')
  return Object.fromEntries(
    Object.entries(data ?? {}).map(([key, value]) => [key, isPacked(value) ? plainData(value) : value]),
  )
}

/** Returns the text of the page at the end of the recording. */
async function replayedText(page: Page, events: readonly RrwebEvent[]): Promise<string> {
  await page.addScriptTag({ content: await readFile(player, 'utf8') })
  const text = await page.evaluate(async (events) => {
    const { Replayer } = (
      window as unknown as {
        rrwebReplay: {
          Replayer: new (events: unknown) => { pause(at: number): void; iframe: HTMLIFrameElement }
        }
      }
    ).rrwebReplay
    const replayer = new Replayer(events)
    replayer.pause((events.at(-1)?.timestamp ?? 0) - (events[0]?.timestamp ?? 0))
    return replayer.iframe.contentDocument?.body.innerText ?? ''
  }, events)
  await page.close()
  return text
}

/** Returns the tables of both databases that contain this text in any column. */
async function tablesWith({ postgres, warehouse }: Engines, text: string): Promise<string[]> {
  const found: string[] = []
  const { rows } = await postgres.pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  for (const { name } of rows) {
    const { rowCount } = await postgres.pool.query(
      `SELECT FROM ${name} AS entry WHERE strpos(entry::text, $1) > 0 LIMIT 1`,
      [text],
    )
    if (rowCount) found.push(name)
  }
  for (const { name } of await warehouse.query<{ name: string }>('SHOW TABLES')) {
    const entries = await warehouse.query(
      `SELECT 1 FROM ${name} WHERE position(toString(tuple(*)), {text: String}) > 0 LIMIT 1`,
      { params: { text } },
    )
    if (entries.length > 0) found.push(name)
  }
  return found
}
