import { afterAll, beforeAll, expect, test } from 'vitest'
import { PosthogSteps, RunTestStep } from '../../../contract/exports/posthog-test-steps.ts'
import { createIntegration } from '../../testing/test-integrations.ts'
import { createExport } from '../../testing/test-rows.ts'
import { startTestStore } from '../../testing/test-store.ts'
import { bodyOf, createTestService, problemOf, type TestService } from '../../testing/test-service.ts'

let service: TestService
let store: Awaited<ReturnType<typeof startTestStore>>

beforeAll(async () => {
  service = await createTestService({ config: { privateDestinations: 'loopback' } })
  store = await startTestStore()
})
afterAll(async () => {
  await store.stop()
  await service.stop()
})

const of = '/api/projects/@current/batch_exports/'
const keys = { aws_access_key_id: 'S3RVER', aws_secret_access_key: 'S3RVER' }

async function bucket(change: object = {}, connection: object = keys) {
  const { id } = await createIntegration(service, { endpoint_url: store.endpoint, ...connection })
  const config = { bucket_name: 'exports', region: 'us-east-1', prefix: 'steps', ...change }
  return { type: 'S3Compatible', config, integration_id: id }
}

async function runNew(destination: object, step?: unknown) {
  const body = { name: 'New', interval: 'hour', destination, step }
  const response = await service.request('POST', `${of}run_test_step_new/`, { body })
  expect(response.status, response.text).toBe(200)
  return bodyOf(RunTestStep, response)
}

test('GET /api/projects/:project_id/batch_exports/test/ returns 200 with PostHog’s steps, then more', async () => {
  const steps = async (type: string) => {
    const response = await service.request('GET', `${of}test/?destination=${type}`)
    return bodyOf(PosthogSteps, response).steps
  }
  expect((await steps('AwsS3')).slice(0, 3)).toEqual([
    {
      name: 'Ensure we can assume provided AWS role',
      description:
        'Ensure the configured AWS role ARN exists and that we have the required trust relationship to assume it.',
      result: null,
    },
    {
      name: 'Check S3 bucket exists',
      description:
        'Ensure the configured S3 bucket exists and that we have the required permissions to access it.',
      result: null,
    },
    expect.objectContaining({ name: 'Address', result: null }),
  ])
  expect((await steps('Postgres')).map(({ name }) => name)).toContain('TLS')
  const none = await service.request('GET', `${of}test/`)
  expect([none.status, problemOf(none).attr]).toEqual([400, 'destination'])
  expect((await service.request('GET', `${of}test/?destination=Snowflake`)).status).toBe(404)
})

test('POST /api/projects/:project_id/batch_exports/run_test_step_new/ returns 200 with the result of one step', async () => {
  const destination = await bucket()
  expect(await runNew(destination)).toMatchObject({
    name: 'Check S3 bucket exists',
    result: { status: 'Passed', message: null },
  })
  expect(await runNew(destination, '1')).toMatchObject({
    name: 'Address',
    result: { status: 'Passed', message: 'The host 127.0.0.1 was found.' },
  })
  expect(await runNew(destination, 5)).toMatchObject({
    name: 'Write',
    result: { status: 'Passed', message: expect.stringContaining('Wrote steps/') },
  })
  const listed = await fetch(`${store.endpoint}/exports?list-type=2&prefix=steps`)
  expect(await listed.text()).not.toContain('spool-connection-test')
  const lost = await bucket({ bucket_name: 'nowhere' })
  expect((await runNew(lost)).result).toEqual({
    status: 'Failed',
    message: expect.stringMatching(/^There is no bucket "nowhere".*Create it/),
  })
  expect((await runNew(lost, 6)).result).toMatchObject({ status: 'Skipped' })
  const body = { name: 'New', interval: 'hour', destination, step: 7 }
  const beyond = await service.request('POST', `${of}run_test_step_new/`, { body })
  expect([beyond.status, problemOf(beyond).attr]).toEqual([400, 'step'])
  const missing = await service.request('POST', `${of}run_test_step_new/`, { body: { destination } })
  expect([missing.status, problemOf(missing).attr]).toEqual([400, 'name'])
})

test('a step of a type that Spool does not use is skipped', async () => {
  const { id: integration_id } = await createIntegration(service, {}, '@current', 'aws-s3')
  const config = { bucket_name: 'exports', region: 'us-east-1', prefix: 'steps' }
  expect((await runNew({ type: 'AwsS3', config, integration_id })).result).toEqual({
    status: 'Skipped',
    message: 'No configured AWS role ARN, skipping test',
  })
})

test('POST /api/projects/:project_id/batch_exports/:id/run_test_step/ returns 200 with the result for a stored destination', async () => {
  const { id } = await createExport(service, { destination: await bucket({ prefix: 'stored' }) })
  const run = async (body: object) => {
    const response = await service.request('POST', `${of}${id}/run_test_step/`, { body })
    return bodyOf(RunTestStep, response).result?.status
  }
  expect(await run({})).toBe('Passed')
  expect(await run({ step: 0, destination: { config: { bucket_name: 'nowhere' } } })).toBe('Failed')
  const { integration_id } = await bucket({}, { ...keys, aws_access_key_id: 'planted' })
  expect(await run({ destination: { integration_id } })).toBe('Failed')
})
