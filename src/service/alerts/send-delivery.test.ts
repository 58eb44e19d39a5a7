import { expect, test } from 'vitest'
import { newId } from '../store/schema/identifier.ts'
import { createChannel } from '../testing/test-alerts.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { createTestService } from '../testing/test-service.ts'
import { sendDelivery } from './send-delivery.ts'

test('an e-mail is plain text, and a line break in a name adds no header', async () => {
  const mailServer = await startMailServer()
  const smtp = { url: mailServer.url, from: 'spool@shop.example' }
  const service = await createTestService({ config: { privateDestinations: 'loopback', smtp } })
  const { services, own } = service
  const { id: channelId } = await createChannel(service, own.project_id, {
    type: 'email',
    url: undefined,
    recipients: ['one@shop.example', 'two@shop.example'],
  })
  const channel = await services.store
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow()
  const id = newId(services.clock.now())
  const message = {
    title: 'Orders\r\nBcc: evil@else.example\r\n\r\n<script>1</script> fails',
    detail: 'The store refused the connection.',
    project: { id: own.project_id, name: 'Own project' },
    incident: null,
    path: '/repair',
    at: '2026-03-04T10:30:00Z',
  }
  const delivery = { id, transition: 'opened' as const, message }
  const attempt = await sendDelivery(services, channel, delivery, AbortSignal.timeout(10_000))
  const [mail] = mailServer.received
  expect(mail?.recipients).toEqual(['one@shop.example', 'two@shop.example'])
  const [head = '', ...body] = mail?.content.split('\n\n') ?? []
  expect(head.replaceAll(/\n\s+/g, ' ')).toContain(
    'Subject: [Spool] Orders Bcc: evil@else.example <script>1</script> fails',
  )
  expect(head).not.toMatch(/^Bcc:/m)
  expect(head).toContain('Content-Type: text/plain')
  expect(head).toContain(`Message-ID: <${id}@spool>`)
  expect(body.join('\n\n')).toContain('The store refused the connection.')
  expect(attempt).toMatchObject({
    request: { method: 'SMTP', headers: { to: 'one@shop.example, two@shop.example' } },
    response: { status: 250, body: '250 kept as 7' },
    error: null,
  })
  mailServer.stop()
  await service.stop()
})
