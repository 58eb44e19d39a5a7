import { expect, test } from 'vitest'
import { DefinitionsError, readDefinitions } from './read-definitions.ts'

const environment = { KEY: 'the key', SECRET: 'the secret', EMPTY: '' }
const read = (text: string) => readDefinitions(text, 'exports.yaml', environment)

/** Returns the lines of the error that a file causes. */
function problemsOf(text: string): string[] {
  try {
    read(text)
  } catch (error) {
    if (error instanceof DefinitionsError) return error.message.split('\n')
    throw error
  }
  throw new Error('the file caused no error')
}

const bucket = (secrets: string) => `
project: 7
exports:
  - name: Bucket
    interval: hour
    destination:
      type: S3
      config:
        prefix: \${KEY}/{year}
${secrets}`

test('replaces the variables of secrets, and of nothing else', () => {
  const { projectId, exports } = read(
    bucket('        aws_access_key_id: ${KEY}\n        aws_secret_access_key: "${SECRET}"\n'),
  )
  expect([projectId, exports]).toEqual([
    7,
    [
      {
        name: 'Bucket',
        interval: 'hour',
        destination: {
          type: 'S3',
          config: {
            prefix: '${KEY}/{year}',
            aws_access_key_id: 'the key',
            aws_secret_access_key: 'the secret',
          },
        },
      },
    ],
  ])
})

test('names every missing variable and every secret in the file, with its line but not its value', () => {
  expect(
    problemsOf(bucket('        aws_access_key_id: ${EMPTY}\n        aws_secret_access_key: plain\n')),
  ).toEqual([
    'exports.yaml:10: "Bucket": destination.config.aws_access_key_id: Set the environment variable EMPTY.',
    'exports.yaml:11: "Bucket": destination.config.aws_secret_access_key: A secret does not belong in the file: write ${NAME}, and set that variable.',
  ])
})

test('an alias stands for a copy', () => {
  const config = '{ type: S3, config: { <<: *keys, prefix: a } }'
  const { exports } = read(
    `
exports:
  - destination: { type: S3, config: &keys { aws_access_key_id: "\${KEY}" } }
  - destination: ${config}
  - *again
`.replace('  - *again\n', ''),
  )
  expect(exports).toEqual([
    { destination: { type: 'S3', config: { aws_access_key_id: 'the key' } } },
    { destination: { type: 'S3', config: { aws_access_key_id: 'the key', prefix: 'a' } } },
  ])
})

test('times and words stay texts', () => {
  const { exports } = read('exports: [{ start_at: 2026-01-01, name: no, paused: true }]')
  expect(exports).toEqual([{ start_at: '2026-01-01', name: 'no', paused: true }])
})

test.each([
  ['a syntax error', 'exports: [', /^exports\.yaml:1: /],
  ['two equal keys', 'exports: []\nexports: []', /^exports\.yaml:2: Map keys must be unique/],
  ['no exports', 'project: 1', /^exports\.yaml:1: exports: Invalid input: expected array/],
  ['another key', 'exports: []\nsettings: 1', /^exports\.yaml:1: Unrecognized key: "settings"/],
  ['an empty file', '', /^exports\.yaml:1: Invalid input: expected object/],
  ['a list', '[]', /^exports\.yaml:1: Invalid input: expected object/],
  ['a project that is no id', 'project: one\nexports: []', /^exports\.yaml:1: project: Invalid input/],
  ['an unknown alias', 'exports: [*none]', /Unresolved alias/],
  ['a file that contains itself', 'exports: &a [*a]', /more than 1000000 characters|[Cc]ircular|alias/],
  [
    'a file that is too long',
    `exports: [] #${'-'.repeat(1_000_000)}`,
    /^exports\.yaml has more than 1000000/,
  ],
])('rejects %s', (_, text, message) => {
  expect(problemsOf(text)[0]).toMatch(message)
})

test('rejects a small file that stands for a huge one', () => {
  const levels = Array.from({ length: 9 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x]'
      : `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
  )
  expect(problemsOf(`${levels.join('\n')}\nexports: *a8`)[0]).toMatch(/more than|alias/)
})

test('describes a problem that the service found', () => {
  const { describe } = read('exports:\n  - name: One\n    interval: yearly\n  - interval: hour\n')
  expect(describe(['exports', 0, 'interval'], 'is wrong')).toBe('exports.yaml:3: "One": interval: is wrong')
  expect(describe(['exports', 1, 'name'], 'is missing')).toBe('exports.yaml:4: export 2: name: is missing')
})
