import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { defaultCaptureThreads, defaultWorkers, readConfig, statementMemory, variables } from './config.ts'
import { cores, machineMemory } from './machine.ts'
import { StartupError } from './startup-error.ts'

test('defaults to the embedded engines in an empty environment', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 4280,
    origin: null,
    userContentOrigin: null,
    dataDirectory: resolve('.spool'),
    bootstrapApiKey: null,
    sampleData: true,
    databaseUrl: null,
    clickhouseUrl: null,
    objectsUrl: null,
    secretKey: null,
    roles: ['serve', 'schedule', 'work'],
    workers: defaultWorkers(),
    captureThreads: defaultCaptureThreads(),
    engineThreads: cores(),
    exportThreads: Math.max(1, Math.floor(cores() / 2)),
    engineMemory: expect.any(Number),
    engineConnections: Math.max(2, cores()),
    postgresMb: Math.min(
      Math.max(128, Math.min(64 * cores(), Math.floor(machineMemory() / 32_000_000))),
      512,
    ),
    rateLimit: 6000,
    captureRateLimit: 3_000_000,
    trustedProxies: [],
    privateDestinations: 'loopback',
    settleSeconds: 5,
    recordingRetentionDays: 30,
    languageModel: null,
    smtp: null,
    pingUrl: null,
    logLevel: 'warn',
  })
})

test('treats an empty variable as unset', () => {
  expect(readConfig({ SPOOL_PORT: '', DATABASE_URL: ' ' })).toEqual(readConfig({}))
})

test('reads every variable', () => {
  const config = readConfig({
    SPOOL_HOST: '::',
    SPOOL_PORT: '0',
    SPOOL_ORIGIN: 'https://Spool.example.com/',
    SPOOL_USER_CONTENT_ORIGIN: 'https://Content.example.com:443/',
    SPOOL_DATA_DIR: '/data',
    SPOOL_BOOTSTRAP_API_KEY: 'phx_0123456789abcdef',
    SPOOL_SAMPLE_DATA: 'off',
    DATABASE_URL: 'postgresql://u:p@db/spool',
    CLICKHOUSE_URL: 'https://u:p@ch:8443/spool',
    SPOOL_OBJECTS_URL: 's3://bucket/prefix?endpoint=http://minio:9000',
    SPOOL_SECRET_KEY: 'k'.repeat(32),
    SPOOL_ROLES: 'work, serve,work',
    SPOOL_WORKERS: '7',
    SPOOL_CAPTURE_THREADS: '3',
    SPOOL_ENGINE_THREADS: '16',
    SPOOL_EXPORT_THREADS: '12',
    SPOOL_ENGINE_MEMORY_MB: '8000',
    SPOOL_ENGINE_CONNECTIONS: '12',
    SPOOL_POSTGRES_MEMORY_MB: '300',
    SPOOL_RATE_LIMIT: '0',
    SPOOL_CAPTURE_RATE_LIMIT: '0',
    SPOOL_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8',
    SPOOL_ALLOW_PRIVATE_DESTINATIONS: 'true',
    SPOOL_SETTLE_SECONDS: '0',
    SPOOL_RECORDING_RETENTION_DAYS: '90',
    SPOOL_LLM_URL: 'http://127.0.0.1:11434/v1',
    SPOOL_LLM_KEY: 'sk-0123',
    SPOOL_LLM_MODEL: 'small',
    SPOOL_SMTP_URL: 'smtp://u:p@mail:587',
    SPOOL_SMTP_FROM: 'spool@example.com',
    SPOOL_PING_URL: 'https://watch.example.com/ping',
    LOG_LEVEL: 'debug',
  })
  expect(config).toEqual({
    host: '::',
    port: 0,
    origin: 'https://spool.example.com',
    userContentOrigin: 'https://content.example.com',
    dataDirectory: '/data',
    bootstrapApiKey: 'phx_0123456789abcdef',
    sampleData: false,
    databaseUrl: 'postgresql://u:p@db/spool',
    clickhouseUrl: 'https://u:p@ch:8443/spool',
    objectsUrl: 's3://bucket/prefix?endpoint=http://minio:9000',
    secretKey: 'k'.repeat(32),
    roles: ['work', 'serve'],
    workers: 7,
    captureThreads: 3,
    engineThreads: 16,
    exportThreads: 12,
    engineMemory: 8_000_000_000,
    engineConnections: 12,
    postgresMb: 300,
    rateLimit: 0,
    captureRateLimit: 0,
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    privateDestinations: 'all',
    settleSeconds: 0,
    recordingRetentionDays: 90,
    languageModel: { url: 'http://127.0.0.1:11434/v1', key: 'sk-0123', name: 'small' },
    smtp: { url: 'smtp://u:p@mail:587', from: 'spool@example.com' },
    pingUrl: 'https://watch.example.com/ping',
    logLevel: 'debug',
  })
})

test('gives a statement of an export 400 MB by default, or its part of a memory set by hand', () => {
  expect(statementMemory(readConfig({ SPOOL_WORKERS: '2' }))).toBe(400_000_000)
  const memory = { SPOOL_ENGINE_MEMORY_MB: '1300' }
  expect(statementMemory(readConfig({ SPOOL_WORKERS: '3', ...memory }))).toBe(400_000_000)
  expect(statementMemory(readConfig({ SPOOL_WORKERS: '12', ...memory }))).toBe(100_000_000)
})

test('rejects a memory of ClickHouse that is too little for the workers, in words', () => {
  const env = { SPOOL_ENGINE_MEMORY_MB: '600' }
  expect(readConfig({ ...env, SPOOL_WORKERS: '10' })).toMatchObject({ engineMemory: 600_000_000 })
  expect(() => readConfig({ ...env, SPOOL_WORKERS: '11' })).toThrow(
    new StartupError(
      'SPOOL_ENGINE_MEMORY_MB is "600" but must be at least 650 for 11 workers: raise it, or lower SPOOL_WORKERS.',
    ),
  )
})

test('creates no sample data and allows no private address with an external engine', () => {
  const { sampleData, privateDestinations } = readConfig({ CLICKHOUSE_URL: 'http://ch:8123' })
  expect({ sampleData, privateDestinations }).toEqual({ sampleData: false, privateDestinations: 'none' })
  expect(readConfig({ SPOOL_ALLOW_PRIVATE_DESTINATIONS: 'false' }).privateDestinations).toBe('none')
})

test.each([
  ['SPOOL_PORT', 'http', 'SPOOL_PORT is "http" but must be a port number from 0 to 65535.'],
  ['SPOOL_PORT', '65536', 'SPOOL_PORT is "65536" but must be a port number from 0 to 65535.'],
  [
    'SPOOL_ROLES',
    'serve,cook',
    'SPOOL_ROLES is "serve,cook" but must be one or more of serve, schedule, work, separated by commas.',
  ],
  ['SPOOL_SAMPLE_DATA', 'maybe', 'SPOOL_SAMPLE_DATA is "maybe" but must be "on" or "off".'],
  [
    'SPOOL_RATE_LIMIT',
    '-1',
    'SPOOL_RATE_LIMIT is "-1" but must be a number of requests per minute, 0 for no limit.',
  ],
  ...['content.example.com', 'ftp://content.example.com', 'https://content.example.com/frame'].map(
    (value) => [
      'SPOOL_USER_CONTENT_ORIGIN',
      value,
      `SPOOL_USER_CONTENT_ORIGIN is "${value}" but must be an origin like https://spool-content.example.com.`,
    ],
  ),
  ['SPOOL_ENGINE_THREADS', 'all', 'SPOOL_ENGINE_THREADS is "all" but must be a number from 1 to 256.'],
  ['SPOOL_WORKERS', '0', 'SPOOL_WORKERS is "0" but must be a number from 1 to 64.'],
  [
    'SPOOL_TRUSTED_PROXIES',
    'localhost',
    'SPOOL_TRUSTED_PROXIES is "localhost" but must be addresses or networks like 127.0.0.1 or 10.0.0.0/8, separated by commas.',
  ],
  [
    'SPOOL_TRUSTED_PROXIES',
    '127.0.0.0/33',
    'SPOOL_TRUSTED_PROXIES is "127.0.0.0/33" but must be addresses or networks like 127.0.0.1 or 10.0.0.0/8, separated by commas.',
  ],
  [
    'SPOOL_SETTLE_SECONDS',
    '1.5',
    'SPOOL_SETTLE_SECONDS is "1.5" but must be a number of seconds from 0 to 3600.',
  ],
  [
    'LOG_LEVEL',
    'loud',
    'LOG_LEVEL is "loud" but must be one of fatal, error, warn, info, debug, trace, silent.',
  ],
])('rejects %s=%s with a one-sentence error', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(new StartupError(message))
})

test('requires all or none of the language model variables', () => {
  expect(() => readConfig({ SPOOL_LLM_URL: 'https://models.example', SPOOL_LLM_KEY: 'sk-0123' })).toThrow(
    new StartupError('SPOOL_LLM_URL, SPOOL_LLM_KEY and SPOOL_LLM_MODEL go together: set all three or none.'),
  )
})

test.each([
  ['DATABASE_URL', 'mysql://u:hunter2@db/spool'],
  ['CLICKHOUSE_URL', 'hunter2'],
  ['SPOOL_OBJECTS_URL', 'https://hunter2@bucket'],
  ['SPOOL_SECRET_KEY', 'hunter2'],
  ['SPOOL_BOOTSTRAP_API_KEY', 'hunter2'],
  ['SPOOL_LLM_URL', 'ftp://hunter2'],
  ['SPOOL_LLM_KEY', 'hunter2 and more'],
])('rejects an invalid %s without repeating its value', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be (?!.*hunter2).*\\.$`))
})
test('the documents list every variable', () => {
  const operations = readFileSync('.github/docs/operations.md', 'utf8')
  const rows = operations.split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]{4,}/g) ?? [])
  expect(listed.sort()).toEqual(Object.keys(variables).sort())
})
