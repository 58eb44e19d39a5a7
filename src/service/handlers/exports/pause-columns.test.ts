import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BulkAction } from '../../../contract/bulk-action.ts'
import { continueBulkAction } from '../../bulk/run-bulk-actions.ts'
import { createExport, exportInput } from '../../testing/test-rows.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let path: string
const exports = '/api/projects/@current/batch_exports/'
const bulk = '/api/projects/@current/bulk_actions/'
const [noon, evening] = ['2026-03-04T12:00:00Z', '2026-03-04T18:00:00Z']

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.clock.set('2026-03-04T10:30:00Z')
  path = `${exports}${(await createExport(service)).id}/`
})

const send = (method: string, part: string, body: object) =>
  service.request(method, `${path}${part}`, { body })
const shown = async () => (await service.request('GET', path)).body
const none = { pause_reason: null, paused_until: null }

test('a pause takes a reason and an end, which can be changed and removed while it lasts', async () => {
  const paused = await send('POST', 'pause/', { reason: ' Moving the bucket ', until: noon })
  expect(paused.body).toMatchObject({ pause_reason: 'Moving the bucket', paused_until: noon })
  service.clock.advance(60_000)
  // Nothing changes without new values.
  const same = await send('POST', 'pause/', { reason: 'Moving the bucket', until: noon })
  expect([same.status, same.body]).toEqual([200, paused.body])
  expect((await send('POST', 'pause/', {})).body).toEqual(paused.body)
  const later = await send('PATCH', '', { until: '2026-03-04T19:00:00+01:00' })
  expect(later.body).toMatchObject({
    pause_reason: 'Moving the bucket',
    paused_until: evening,
    last_paused_at: '2026-03-04T10:30:00Z',
  })
  const overview = await service.request('GET', `${exports}overview/`)
  expect(overview.body).toMatchObject({
    results: expect.arrayContaining([
      expect.objectContaining({ pause_reason: 'Moving the bucket', paused_until: evening }),
    ]),
  })
  expect((await send('POST', 'pause/', { reason: ' ', until: null })).body).toMatchObject({
    paused: true,
    ...none,
  })
})

test('unpausing clears both, and a revert of it pauses with them again', async () => {
  await send('PATCH', '', { paused: true, reason: 'Costs', until: noon })
  service.clock.advance(60_000)
  expect((await send('POST', 'unpause/', {})).body).toMatchObject({ paused: false, ...none })
  const { body } = await service.request('GET', `${path}changes/`)
  expect(body).toMatchObject({ results: [{ kind: 'unpaused' }, { kind: 'paused' }, {}] })
  const [unpaused] = (body as { results: { id: string }[] }).results
  const reverted = await service.request(
    'POST',
    `/api/projects/@current/batch_export_changes/${unpaused?.id}/revert/`,
    { body: {} },
  )
  expect(reverted.status, reverted.text).toBe(200)
  expect(await shown()).toMatchObject({ paused: true, pause_reason: 'Costs', paused_until: noon })
})

test('an export is created paused with a reason and an end', async () => {
  const body = { ...exportInput, name: 'Later', paused: true, reason: 'Not yet', until: noon }
  const created = await service.request('POST', exports, { body })
  expect(created.body).toMatchObject({ paused: true, pause_reason: 'Not yet', paused_until: noon })
})

test.each([
  ['POST', 'pause/', { until: '2026-03-04T10:30:00Z' }, 'until', 'The pause must end in the future'],
  ['POST', 'pause/', { until: 'soon' }, 'until', 'Datetime has wrong format'],
  ['POST', 'pause/', { reason: 5 }, 'reason', ''],
  ['POST', 'pause/', { reason: 'x'.repeat(401) }, 'reason', ''],
  ['POST', 'pause/', { reason: 'a\nb' }, 'reason', 'Control characters'],
  ['PATCH', '', { reason: 'Costs' }, 'reason', 'Only a paused export can have this'],
  ['PATCH', '', { paused: false, until: noon }, 'until', 'Only a paused export can have this'],
])('%s %s with %j: 400', async (method, part, body, attr, detail) => {
  const response = await send(method, part, body)
  expect([response.status, problemOf(response).attr]).toEqual([400, attr])
  expect(problemOf(response).detail).toContain(detail)
  expect(await shown()).toMatchObject({ paused: false, ...none })
})

test('a bulk pause takes both; its undo, and that of a bulk unpause, restore what was there', async () => {
  const other = await createExport(service)
  await service.request('POST', `${exports}${other.id}/pause/`, { body: { reason: 'Mine' } })
  const ids = [path.split('/').at(-2), other.id]
  const perform = async (body: object) => {
    const started = bodyOf(BulkAction, await service.request('POST', bulk, { body: { ids, ...body } }))
    while (await continueBulkAction(service.services));
    return async () => {
      await service.request('POST', `${bulk}${started.id}/undo/`, { body: {} })
      while (await continueBulkAction(service.services));
    }
  }
  const states = async () => [await shown(), (await service.request('GET', `${exports}${other.id}/`)).body]
  const undoPause = await perform({ action: 'pause_batch_exports', reason: 'Moving', until: noon })
  const paused = [
    { paused: true, pause_reason: 'Moving', paused_until: noon },
    { paused: true, pause_reason: 'Mine', paused_until: null },
  ]
  expect(await states()).toMatchObject(paused)
  service.clock.advance(1000)
  const undoUnpause = await perform({ action: 'unpause_batch_exports' })
  expect(await states()).toMatchObject([none, none])
  await undoUnpause()
  expect(await states()).toMatchObject(paused)
  await undoPause()
  expect(await states()).toMatchObject([{ paused: false, ...none }, paused[1]])
})
