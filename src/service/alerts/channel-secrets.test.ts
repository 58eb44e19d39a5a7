import { expect, test } from 'vitest'
import { removeSecrets } from '../http/remove-secrets.ts'
import { secretTexts } from './channel-secrets.ts'

const path = '/services/T0123/B0456/tokentokentoken'
const url = `https://hooks.example.com${path}?key=a%20long%20value`
const signingSecret = 'my-own-signing-secret'
const clean = (text: string) => removeSecrets(text, secretTexts({ url, signingSecret }))

test.each([
  [`no hook at ${url}`, 'no hook at https://hooks.example.com***'],
  [`no hook at ${path}`, 'no hook at ***'],
  [`{"path":${JSON.stringify(path).replaceAll('/', '\\/')}}`, '{"path":"***"}'],
  ['no such token: tokentokentoken', 'no such token: ***'],
  ['the key "a long value" is wrong', 'the key "***" is wrong'],
  [`${signingSecret} does not match`, '*** does not match'],
  ['/services/T0123/B0456/tokento… is unknown', '***… is unknown'],
  ['the token starts with tokentok', 'the token starts with ***'],
  [`${path} and ${path}`, '*** and ***'],
])('%j is recorded as %j', (text, recorded) => {
  expect(clean(text)).toBe(recorded)
})

test('a URL without a path removes nothing', () => {
  const secrets = secretTexts({ url: 'https://hooks.example.com/', signingSecret: null })
  expect(removeSecrets('a / b', secrets)).toBe('a / b')
})
