import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteRows } from '../store/schema/rows.ts'
import { insertIncident } from '../testing/test-alerts.ts'
import { createExport, insertErasure } from '../testing/test-rows.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

type Listed = Record<string, unknown>
type List = { count: number; next: string | null; previous: string | null; results: Listed[] }

async function list(url: string): Promise<List> {
  const { pathname, search } = new URL(url, 'http://localhost')
  const response = await service.request('GET', `${pathname}${search}`)
  expect(response.status, response.text).toBe(200)
  return response.body as List
}

/** Follows one of the links of a page to the end; returns the pages, each as what tells its items apart. */
async function follow(page: List, link: 'next' | 'previous', field: string): Promise<unknown[][]> {
  const pages = [page.results.map((item) => item[field])]
  for (let url = page[link]; url !== null;) {
    const { results, [link]: further } = await list(url)
    pages.push(results.map((item) => item[field]))
    url = further
  }
  return pages
}

/** Each list by its path, with what adds an item to it and the field that tells its items apart. */
async function longLists(): Promise<
  { path: string; field: string; add: (name: string) => Promise<unknown> }[]
> {
  const { id } = await createExport(service)
  const { store } = service.services
  const project_id = service.own.project_id
  const project = `/api/projects/${project_id}/`
  const logs = (message: string) => {
    const timestamp = new Date(service.clock.now())
    return store
      .insertInto('batch_export_logs')
      .values({ batch_export_id: id, run_id: null, timestamp, level: 'INFO', message })
      .execute()
  }
  return [
    { path: `${project}batch_exports/${id}/logs/`, field: 'message', add: logs },
    {
      path: `${project}incidents/`,
      field: 'id',
      add: (destination) => insertIncident(service, project_id, [], { destination }),
    },
    { path: `${project}person_erasures/`, field: 'id', add: () => insertErasure(service, project_id) },
  ]
}

test('the links of long lists lead through all items once, forwards and back, while others are added', async () => {
  for (const { path, field, add } of await longLists()) {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      // Two items of the same time, which their ids order.
      if (name !== 'c') service.clock.advance(1000)
      await add(name)
    }
    const { results, count } = await list(path)
    const all = results.map((item) => item[field])
    const first = await list(`${path}?limit=2`)
    await add('new')
    const pages = await follow(first, 'next', field)
    expect(pages.flat(), path).toEqual(all)
    const last = await list(`${path}?limit=2&offset=${count - 1}`)
    await add('newer')
    const back = (await follow(last, 'previous', field)).toReversed().flat()
    expect(back.slice(-count), path).toEqual(all)
  }
})

test('a link of a long list leads to its offset once the item beside it has been deleted', async () => {
  const { path, add } = (await longLists())[0] ?? expect.unreachable()
  for (const message of ['a', 'b', 'c', 'd']) {
    service.clock.advance(1000)
    await add(message)
  }
  const first = await list(`${path}?limit=2`)
  await deleteRows(service.services.store, 'batch_export_logs', { message: 'c' })
  const { results } = await list(first.next ?? '')
  expect(results[0]?.['message']).toBe('a')
})

test('items that are removed while a long list is read hide none of those that follow', async () => {
  const { path, add } = (await longLists())[0] ?? expect.unreachable()
  for (const message of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7']) {
    service.clock.advance(1000)
    await add(message)
  }
  const first = await list(`${path}?limit=3`)
  await deleteRows(service.services.store, 'batch_export_logs', { message: ['m7', 'm6'] })
  const pages = await follow(first, 'next', 'message')
  const created = expect.stringContaining('Created')
  expect(pages.flat()).toEqual(['m7', 'm6', 'm5', 'm4', 'm3', 'm2', 'm1', created])
})

test('a made-up cursor of a long list is ignored', async () => {
  for (const { path } of await longLists())
    for (const cursor of ['x', '["next","x"]', '["next","1 OR true"]', '["up","1"]'].map((text) =>
      Buffer.from(text).toString('base64url'),
    ))
      expect(await list(`${path}?cursor=${cursor}`)).toMatchObject({ previous: null })
})
