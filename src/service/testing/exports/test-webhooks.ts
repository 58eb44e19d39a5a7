import { createHmac } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { startReceiver, type TestReceiver } from '../servers/test-receiver.ts'

export const signingSecret = 'planted-signing-secret'
export const headerSecret = 'Bearer planted-header-secret'

/** Starts a receiver that stops with the test. */
export async function receiver(): Promise<TestReceiver> {
  const started = await startReceiver()
  onTestFinished(() => started.stop())
  return started
}

/** Returns the columns of a destination that sends to a URL. */
export function webhookDestination(
  { secrets }: Pick<Services, 'secrets'>,
  url: string,
  config: Record<string, unknown> = {},
): Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'destination_secrets'> {
  const sealed = { signing_secret: signingSecret, headers: { authorization: headerSecret } }
  return {
    destination_type: 'Webhook',
    destination_config: { url, headers: { authorization: null }, ...config },
    destination_secrets: secrets.seal(JSON.stringify(sealed)),
  }
}

type Received = TestReceiver['received'][number]

export function keyOf({ headers }: Received): string {
  return String(headers['idempotency-key'])
}

export function rowsIn({ body }: Pick<Received, 'body'>): Record<string, unknown>[] {
  return JSON.parse(body) as Record<string, unknown>[]
}

export function idsIn(message: Pick<Received, 'body'>): string[] {
  return rowsIn(message).map(({ uuid }) => String(uuid))
}

/** Returns the rows' ids as a receiver has them that ignores keys that it knows. Probes have neither key nor rows. */
export function receivedOnce(messages: readonly Received[]): string[] {
  const batches = messages.filter(({ headers }) => headers['idempotency-key'] !== undefined)
  return [...new Map(batches.map((message) => [keyOf(message), idsIn(message)])).values()].flat()
}

/** Checks the signature as a receiver does. */
export function expectSigned({ headers, body }: Received): void {
  const time = String(headers['spool-timestamp'])
  const hmac = createHmac('sha256', signingSecret).update(`${time}.${body}`).digest('hex')
  expect(headers['spool-signature']).toBe(`v1=${hmac}`)
}
