import { expect } from 'vitest'
import { BatchExport } from '../../../contract/exports/batch-export.ts'
import { AppliedExports } from '../../../contract/exports/export-definition.ts'
import { offsetPage } from '../../../contract/page.ts'
import { insertRow } from '../../store/schema/rows.ts'
import { bodyOf, createTestService, type TestService } from '../test-service.ts'

export let service: TestService
/** Path of the exports of the running test's project. */
export let exportsPath: string

export async function openDefinitions(): Promise<void> {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
}

/** Creates a project for the running test. */
export async function createProject(): Promise<void> {
  const { id } = await insertRow(service.services.store, 'projects', {
    organization_id: service.own.organization_id,
    name: 'Applied',
    api_token: crypto.randomUUID(),
    created_at: new Date(service.clock.now()),
  })
  exportsPath = `/api/projects/${id}/batch_exports/`
}

export const file = (name: string, change: object = {}) => ({
  name,
  interval: 'hour',
  destination: { type: 'File', config: { path: name } },
  ...change,
})

export function send(exports: readonly object[], options: object = {}) {
  return service.request('POST', `${exportsPath}apply/`, { body: { exports, ...options } })
}

export async function apply(exports: readonly object[], options: object = {}) {
  const response = await send(exports, options)
  expect(response.status, response.text).toBe(200)
  expect(response.text).not.toMatch(/very-secret|AKIA/)
  return bodyOf(AppliedExports, response)
}

export async function listed(): Promise<BatchExport[]> {
  return bodyOf(offsetPage(BatchExport), await service.request('GET', exportsPath)).results
}
