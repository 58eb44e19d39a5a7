import type { z } from 'zod'
import type { DestinationTest, PosthogStep } from '../../../contract/destinations/destination-test.ts'
import { testStepsOf, type RunTestStep } from '../../../contract/exports/posthog-test-steps.ts'
import type { DestinationInput } from '../../../contract/destinations/destination.ts'
import { tryDestination } from '../../destinations/try-destination.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import type { Handler } from '../handler.ts'
import { storeDestination } from './destination-input.ts'
import { generatedSecret, withSecret } from './generated-secret.ts'
import { noteTest } from './trials.ts'

/** Lists the steps of a type of destination. */
export const testStepsOfDestination: Handler<'testStepsOfDestination'> = async ({ query }) => {
  const steps = testStepsOf(query.destination)
  if (!steps) throw notFound()
  return { steps: steps.map(({ name, description }) => ({ name, description, result: null })) }
}

/** Runs a step with the destination of a batch export that is not stored yet. */
export const runNewTestStep: Handler<'runNewTestStep'> = async ({ services, project, body }) =>
  runStep(services, body.step, withSecret(body.destination, generatedSecret(body.destination)), {
    projectId: project.id,
    stored: null,
  })

/** Runs a step with a stored destination, changed as an update with this body would. */
export const runTestStep: Handler<'runTestStep'> = async ({ services, batchExport, body }) =>
  runStep(services, body.step, body.destination ?? {}, {
    projectId: batchExport.project_id,
    stored: batchExport,
  })

type RunStep = z.output<typeof RunTestStep>
type Target = { projectId: number; stored: BatchExportRow | null }

async function runStep(
  services: Services,
  index: number,
  given: { [Field in keyof DestinationInput]?: DestinationInput[Field] | undefined },
  target: Target,
): Promise<RunStep> {
  const destination = await storeDestination(services, given, target)
  const steps = testStepsOf(destination.destination_type) ?? []
  const step = steps[index]
  if (!step) throw invalidInput(`The steps have the numbers 0 to ${steps.length - 1}.`, ['step'])
  const { name, description, covers } = step
  const last = covers.at(-1)
  if (last === undefined) {
    const message = 'No configured AWS role ARN, skipping test'
    return { name, description, result: { status: 'Skipped', message } }
  }
  const found = await tryDestination(
    services,
    { ...destination, project_id: target.projectId },
    { until: last },
  )
  await noteTest(services, destination.integration_id, found)
  return { name, description, result: resultOf(step, found) }
}

/** Returns the result of a step: of those that it covers, the first that failed counts. */
function resultOf({ covers }: PosthogStep, { steps }: DestinationTest): RunStep['result'] {
  const covered = steps.filter(({ name }) => covers.includes(name))
  const failed = covered.find(({ status }) => status === 'failed')
  if (failed) return { status: 'Failed', message: [failed.detail, failed.remedy].filter(Boolean).join(' ') }
  const last = covered.at(-1)
  if (covers.length > 1 && last?.status === 'ok') return { status: 'Passed', message: null }
  return { status: last?.status === 'ok' ? 'Passed' : 'Skipped', message: last?.detail ?? null }
}
