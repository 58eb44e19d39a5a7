import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { cores, machineMemory } from './machine.ts'
import { StartupError } from './startup-error.ts'

const roles = ['serve', 'schedule', 'work'] as const
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type Role = (typeof roles)[number]
/** Private addresses that a destination may use: all of them, only this machine's loopback, or none. */
export type PrivateDestinations = 'all' | 'loopback' | 'none'

const workersMax = 64
/** Memory (bytes) that the statements of all workers may use by default. */
const workersMemory = Math.max(800_000_000, Math.floor(machineMemory() / 4))
const statementMemoryDefault = 400_000_000
/** Memory (MB) with less of which the statement of an export fails. */
const statementMbMin = 50
/** Memory (bytes) of ClickHouse for everything except the statements of exports. */
const otherMemory = 100_000_000

/** Cache (MB) of the embedded PostgreSQL, by default: 64 for each core, at most 1/32 of the machine's memory, within limits. */
const postgresMbDefault = Math.min(
  Math.max(128, Math.min(64 * cores(), Math.floor(machineMemory() / 32_000_000))),
  512,
)

const captureThreadsMax = 64
/** Memory (bytes) of the machine for each thread that decodes captured requests, four times what a thread may use. */
const captureThreadMemory = 2_000_000_000

/** Returns two workers per core, since most of them wait for the disk or the network, as far as the memory suffices. */
export function defaultWorkers(): number {
  const inMemory = Math.floor(workersMemory / statementMemoryDefault)
  return Math.min(Math.max(2, Math.min(2 * cores(), inMemory)), 16)
}

/** Returns a thread per two cores, as far as the memory suffices: the other cores serve requests and store what is decoded. */
export function defaultCaptureThreads(): number {
  const inMemory = Math.floor(machineMemory() / captureThreadMemory)
  return Math.min(Math.max(1, Math.min(Math.floor(cores() / 2), inMemory)), 16)
}

/** What ClickHouse may use: see `readConfig`. */
export type EngineLimits = Pick<
  Config,
  'workers' | 'engineThreads' | 'exportThreads' | 'engineMemory' | 'engineConnections'
>

/** Returns the memory (bytes) that a statement of an export may use while all workers are busy. */
export function statementMemory({ engineMemory, workers }: EngineLimits): number {
  return Math.floor((engineMemory - otherMemory) / workers)
}

const url = (...schemes: string[]) =>
  z.string().refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)))
const webOrigin = z
  .string()
  .refine((value) => URL.canParse(value) && /^https?:\/\/[^/?#@]+\/?$/i.test(value))
  .transform((value) => new URL(value).origin)
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['on', 'off', 'true', 'false', '1', '0', 'yes', 'no']))
  .transform((value) => ['on', 'true', '1', 'yes'].includes(value))
const roleList = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((role) => role.trim()))])
  .pipe(z.array(z.enum(roles)).min(1))

const networkList = z
  .string()
  .transform((value) => value.split(',').map((network) => network.trim()))
  .pipe(z.array(z.string().refine(isNetwork)).min(1))

type Variable<T> = { schema: z.ZodType<T>; allowed: string; secret?: boolean }
const variable = <T>(schema: z.ZodType<T>, allowed: string): Variable<T> => ({ schema, allowed })
const secret = <T>(schema: z.ZodType<T>, allowed: string): Variable<T> => ({ schema, allowed, secret: true })

const perMinute = (counted: string) =>
  variable(wholeNumber(0, 1_000_000_000), `a number of ${counted} per minute, 0 for no limit`)

/** Every environment variable that the service reads. `readConfig` supplies defaults for unset and empty ones. */
export const variables = {
  /** Address to listen on. */
  SPOOL_HOST: variable(z.string(), 'a host name or an address'),
  SPOOL_PORT: variable(wholeNumber(0, 65_535), 'a port number from 0 to 65535'),
  /** Public address of the dashboard, to which links in messages lead; by default the address to listen on. */
  SPOOL_ORIGIN: variable(webOrigin, 'an origin like https://spool.example.com'),
  /** Origin for recorded pages and the demo shop, on another host name than the dashboard; the same service answers there. */
  SPOOL_USER_CONTENT_ORIGIN: variable(webOrigin, 'an origin like https://spool-content.example.com'),
  /** Folder of the embedded engines, relative to the working directory. */
  SPOOL_DATA_DIR: variable(z.string(), 'a path'),
  /** Value of the first key, which has all scopes; without it, the start creates no key. */
  SPOOL_BOOTSTRAP_API_KEY: secret(
    z.string().regex(/^\S{16,200}$/),
    '16 to 200 characters without white space',
  ),
  /** Whether the first start creates sample data; by default only with the embedded engines. */
  SPOOL_SAMPLE_DATA: variable(flag, '"on" or "off"'),
  /** PostgreSQL for the store, instead of the embedded one. */
  DATABASE_URL: secret(
    url('postgres', 'postgresql'),
    'a URL like postgres://user:password@host:5432/database',
  ),
  /** ClickHouse for events and persons, instead of the embedded one. */
  CLICKHOUSE_URL: secret(url('http', 'https'), 'a URL like http://user:password@host:8123/database'),
  /** Storage for replay blocks, instead of a folder in the data directory. */
  SPOOL_OBJECTS_URL: secret(url('s3'), 'a URL like s3://key:secret@bucket/prefix?region=…&endpoint=…'),
  /**
   * Key that encrypts stored secrets, and signs links and receipts; by default a random key stored in the data directory.
   */
  SPOOL_SECRET_KEY: secret(z.string().min(32), 'at least 32 characters'),
  /** Roles of this process. */
  SPOOL_ROLES: variable(roleList, `one or more of ${roles.join(', ')}, separated by commas`),
  /** Runs at once; by default two per core, as far as the memory suffices. */
  SPOOL_WORKERS: variable(wholeNumber(1, workersMax), `a number from 1 to ${workersMax}`),
  /** Large captured requests decoded at once; by default one per two cores, as far as the memory suffices. */
  SPOOL_CAPTURE_THREADS: variable(
    wholeNumber(1, captureThreadsMax),
    `a number from 1 to ${captureThreadsMax}`,
  ),
  /** Threads of one statement of ClickHouse; by default one per core. */
  SPOOL_ENGINE_THREADS: variable(wholeNumber(1, 256), 'a number from 1 to 256'),
  /** Threads that the statements share that write files of exports; by default half of those of a statement. */
  SPOOL_EXPORT_THREADS: variable(wholeNumber(1, 256), 'a number from 1 to 256'),
  /** Memory of ClickHouse; by default 400 MB per worker, or less with little memory, and 100 MB. */
  SPOOL_ENGINE_MEMORY_MB: variable(wholeNumber(200, 1_000_000), 'a number of MB from 200 to 1000000'),
  /** Statements of pages, and as many that write, that the embedded ClickHouse runs at once; by default one per core. */
  SPOOL_ENGINE_CONNECTIONS: variable(wholeNumber(2, 64), 'a number from 2 to 64'),
  /** Cache of the embedded PostgreSQL (`shared_buffers`); by default 64 MB for each core, at most 1/32 of the machine's memory, 128 to 512 MB. */
  SPOOL_POSTGRES_MEMORY_MB: variable(wholeNumber(16, 1_000_000), 'a number of MB from 16 to 1000000'),
  SPOOL_RATE_LIMIT: perMinute('requests'),
  SPOOL_CAPTURE_RATE_LIMIT: perMinute('events'),
  /** Without it, a proxy's address counts as the address of all its clients. */
  SPOOL_TRUSTED_PROXIES: variable(
    networkList,
    'addresses or networks like 127.0.0.1 or 10.0.0.0/8, separated by commas',
  ),
  /** Whether destinations may be in private networks; when unset, the embedded engines allow only loopback. */
  SPOOL_ALLOW_PRIVATE_DESTINATIONS: variable(flag, '"true" or "false"'),
  SPOOL_SETTLE_SECONDS: variable(wholeNumber(0, 3600), 'a number of seconds from 0 to 3600'),
  SPOOL_RECORDING_RETENTION_DAYS: variable(wholeNumber(1, 36_500), 'a number of days from 1 to 36500'),
  /** Language model that writes summaries of recordings; all three variables or none. */
  SPOOL_LLM_URL: secret(url('http', 'https'), 'a URL like https://api.openai.com/v1'),
  SPOOL_LLM_KEY: secret(
    z.string().regex(/^[\x21-\x7e]{1,1000}$/),
    '1 to 1000 characters without white space',
  ),
  SPOOL_LLM_MODEL: variable(z.string().max(200), 'the name of a model'),
  /** Server and sender of e-mails: of alerts, and to members. */
  SPOOL_SMTP_URL: secret(url('smtp', 'smtps'), 'a URL like smtp://user:password@mail.example.com:587'),
  SPOOL_SMTP_FROM: variable(z.email(), 'an e-mail address'),
  /** Requested each minute while all is well, so that an external monitor notices when the service has stopped. */
  SPOOL_PING_URL: secret(url('http', 'https'), 'a URL like https://watch.example.com/ping/spool'),
  LOG_LEVEL: variable(z.enum(logLevels), `one of ${logLevels.join(', ')}`),
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from environment variables.
 * @throws StartupError naming the first invalid variable and its allowed values.
 */
export function readConfig(env: Environment) {
  const databaseUrl = read(env, 'DATABASE_URL')
  const clickhouseUrl = read(env, 'CLICKHOUSE_URL')
  const embedded = !databaseUrl && !clickhouseUrl
  const allowPrivate = read(env, 'SPOOL_ALLOW_PRIVATE_DESTINATIONS')
  const unsetPrivate: PrivateDestinations = embedded && allowPrivate === null ? 'loopback' : 'none'
  const privateDestinations: PrivateDestinations = allowPrivate ? 'all' : unsetPrivate
  const workers = read(env, 'SPOOL_WORKERS') ?? defaultWorkers()
  const engineThreads = read(env, 'SPOOL_ENGINE_THREADS') ?? cores()
  const engineMb = read(env, 'SPOOL_ENGINE_MEMORY_MB')
  return {
    host: read(env, 'SPOOL_HOST') ?? '127.0.0.1',
    /** 0: the system chooses a free port. */
    port: read(env, 'SPOOL_PORT') ?? 4280,
    /** Where links in messages lead; null: to where the service listens. */
    origin: read(env, 'SPOOL_ORIGIN'),
    /** Null: pages on this machine use its other name, `localhost` or `127.0.0.1`. */
    userContentOrigin: read(env, 'SPOOL_USER_CONTENT_ORIGIN'),
    /** Absolute path of the embedded engines' data folder. */
    dataDirectory: resolve(read(env, 'SPOOL_DATA_DIR') ?? '.spool'),
    bootstrapApiKey: read(env, 'SPOOL_BOOTSTRAP_API_KEY'),
    sampleData: read(env, 'SPOOL_SAMPLE_DATA') ?? embedded,
    databaseUrl,
    clickhouseUrl,
    objectsUrl: read(env, 'SPOOL_OBJECTS_URL'),
    secretKey: read(env, 'SPOOL_SECRET_KEY'),
    roles: read(env, 'SPOOL_ROLES') ?? [...roles],
    /** Runs that this process executes at once, not counting those that wait for their destination. */
    workers,
    captureThreads: read(env, 'SPOOL_CAPTURE_THREADS') ?? defaultCaptureThreads(),
    /** Threads of one statement of ClickHouse. */
    engineThreads,
    /** Threads that the statements share that write files of exports; the others are left to pages and captures. */
    exportThreads: read(env, 'SPOOL_EXPORT_THREADS') ?? Math.max(1, Math.floor(engineThreads / 2)),
    /** Memory (bytes) that ClickHouse may use. */
    engineMemory: engineMb === null ? defaultEngineMemory(workers) : givenEngineMemory(engineMb, workers),
    /** Statements of pages, and as many that write, that the embedded ClickHouse runs at once. */
    engineConnections: read(env, 'SPOOL_ENGINE_CONNECTIONS') ?? Math.min(Math.max(2, cores()), 64),
    /** Cache (MB) of the embedded PostgreSQL (`shared_buffers`). */
    postgresMb: read(env, 'SPOOL_POSTGRES_MEMORY_MB') ?? postgresMbDefault,
    /** Requests per minute and key; 0: no limit. */
    rateLimit: read(env, 'SPOOL_RATE_LIMIT') ?? 6000,
    /** Captured events per minute, project and client address; 0: no limit. */
    captureRateLimit: read(env, 'SPOOL_CAPTURE_RATE_LIMIT') ?? 3_000_000,
    /** Addresses and networks of the proxies whose X-Forwarded-For is believed. */
    trustedProxies: read(env, 'SPOOL_TRUSTED_PROXIES') ?? [],
    privateDestinations,
    /** Delay after a window's end before its run is created, so that the run includes rows still being inserted. */
    settleSeconds: read(env, 'SPOOL_SETTLE_SECONDS') ?? 5,
    /** Days before a recording is deleted, unless a user keeps it. */
    recordingRetentionDays: read(env, 'SPOOL_RECORDING_RETENTION_DAYS') ?? 30,
    /** Language model that writes summaries of recordings; `url` is the base URL of an OpenAI-compatible API. */
    languageModel: languageModel(env),
    /** Server that sends e-mail, and the sender's address; null: none is sent. */
    smtp: smtp(env),
    /** URL that is requested each minute while the rules are evaluated and a worker is alive, for an external monitor. */
    pingUrl: read(env, 'SPOOL_PING_URL'),
    logLevel: read(env, 'LOG_LEVEL') ?? 'warn',
  }
}

export type Config = ReturnType<typeof readConfig>

function defaultEngineMemory(workers: number): number {
  return otherMemory + Math.min(workersMemory, workers * statementMemoryDefault)
}

/** Returns the memory (bytes) of the variable. @throws StartupError if exports of that many workers would run out of it. */
function givenEngineMemory(engineMb: number, workers: number): number {
  const engineMbMin = otherMemory / 1_000_000 + workers * statementMbMin
  if (engineMb >= engineMbMin) return engineMb * 1_000_000
  throw new StartupError(
    `SPOOL_ENGINE_MEMORY_MB is "${engineMb}" but must be at least ${engineMbMin} for ${workers} workers: raise it, or lower SPOOL_WORKERS.`,
  )
}

function languageModel(env: Environment) {
  const url = read(env, 'SPOOL_LLM_URL')
  const key = read(env, 'SPOOL_LLM_KEY')
  const name = read(env, 'SPOOL_LLM_MODEL')
  if (url === null && key === null && name === null) return null
  if (url !== null && key !== null && name !== null) return { url, key, name }
  throw new StartupError(
    'SPOOL_LLM_URL, SPOOL_LLM_KEY and SPOOL_LLM_MODEL go together: set all three or none.',
  )
}

function smtp(env: Environment) {
  const url = read(env, 'SPOOL_SMTP_URL')
  const from = read(env, 'SPOOL_SMTP_FROM')
  if (url === null && from === null) return null
  if (url !== null && from !== null) return { url, from }
  throw new StartupError('SPOOL_SMTP_URL and SPOOL_SMTP_FROM go together: set both or neither.')
}

type Value<K extends keyof typeof variables> = z.output<(typeof variables)[K]['schema']>

function read<K extends keyof typeof variables>(env: Environment, name: K): Value<K> | null {
  const text = env[name]?.trim()
  if (!text) return null
  const { schema, allowed, secret }: Variable<unknown> = variables[name]
  const result = schema.safeParse(text)
  if (result.success) return result.data as Value<K>
  throw new StartupError(`${name}${secret ? '' : ` is "${text}" but`} must be ${allowed}.`)
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...others] = text.split('/')
  const version = isIP(address)
  const isPrefix =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  return version !== 0 && isPrefix && others.length === 0
}
